/** When a secret is typed: in the very moment in which it is seen that it may be. */
import { SecretRefused } from '../../errors.ts';
import type { Watcher } from '../../state/watcher.ts';
import { whenReady } from '../../state/when-ready.ts';
import type { Observation } from '../observation.ts';
import { settleOnce } from '../wait/settle-once.ts';
import { secretRefusal } from './secret-permission.ts';
import type { Secret } from './secrets.ts';

/** A program that was just started, or got its last line just now, asks within this. */
const PATIENCE_MS = 1000;

export interface PromptWatch {
  watcher: Watcher;
  lastEventMs(): number;
  /** Undefined where things moved meanwhile. */
  observe(): Observation | undefined;
}

/** Resolves where it may be typed; then it must be typed before anything else can happen. */
export const waitForSecretPrompt = async (secret: Secret, watch: PromptWatch): Promise<void> => {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    await untilReady(watch, deadlineMs);
    // Once more: the terminal's settings and the program as they are in this turn.
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

/** Until a verdict is good enough to end a wait, or time is up. */
const untilReady = ({ watcher, lastEventMs }: PromptWatch, deadlineMs: number): Promise<void> =>
  settleOnce<void>(
    ({ resolve, onSettled }) => onSettled(whenReady(watcher, lastEventMs, () => resolve())),
    { timeoutMs: Math.max(0, deadlineMs - performance.now()), onTimeout: () => {} },
  );
