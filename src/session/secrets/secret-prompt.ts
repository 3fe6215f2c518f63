/** Waits for the moment when a secret may be typed. */
import { SecretRefused } from '../../errors.ts';
import type { Observation } from '../../state/judge.ts';
import type { Watcher } from '../../state/watcher.ts';
import { whenProgramIsReady } from '../../state/when-ready.ts';
import { settleOnce } from '../wait/settle-once.ts';
import { secretRefusal } from './secret-refusal.ts';
import type { Secret } from './secrets.ts';

/** A program that has just started or just got a line may take this long to ask. */
const MAX_WAIT_MS = 1000;

export interface SecretPromptWatch {
  watcher: Watcher;
  lastEventMs(): number;
  /** Undefined if something changed meanwhile. */
  observe(): Observation | undefined;
}

/** Resolves when it may be typed. The caller must then type it in the same turn of the event loop. */
export const waitForSecretPrompt = async (
  secret: Secret,
  watch: SecretPromptWatch,
): Promise<void> => {
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    await untilReady(watch, deadlineMs);
    // Observe once more: the terminal's settings and the program may have changed since that verdict.
    const observation = watch.observe();
    const refusal = observation && secretRefusal(secret, observation.verdict, observation.evidence);
    if (observation !== undefined && refusal === undefined) return;
    const isOver = performance.now() >= deadlineMs;
    if (refusal !== undefined && (isOver || observation?.verdict.state !== 'working')) {
      throw new SecretRefused(secret.name, refusal.reason, refusal.remedy);
    }
    if (isOver) throw new SecretRefused(secret.name, 'the program is not still', 'Wait');
  }
};

/** Resolves when a verdict is good enough to end a wait, or the time is up. */
const untilReady = (
  { watcher, lastEventMs }: SecretPromptWatch,
  deadlineMs: number,
): Promise<void> =>
  settleOnce<void>(
    ({ resolve, onSettled }) =>
      onSettled(whenProgramIsReady(watcher, lastEventMs, () => resolve())),
    { timeoutMs: Math.max(0, deadlineMs - performance.now()), onTimeout: () => {} },
  );
