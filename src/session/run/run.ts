/** Runs one shell command: types it, tracks it to its end, and returns its output. */
import { randomBytes } from 'node:crypto';
import { SessionBusy } from '../../errors.ts';
import type { ScreenEvent } from '../../screen/sequences/screen-events.ts';
import { wrapInTypedMarks } from '../../shell/typed-marks.ts';
import { actorOf } from '../caller.ts';
import { type Approval, withApproval } from '../input/gate.ts';
import { ifDefined } from '../options/if-defined.ts';
import { DEFAULT_ACTOR } from '../options/options.ts';
import type { RunRequest } from '../options/requests.ts';
import type { Session } from '../session.ts';
import type { CallOptions, RunResult } from '../sessions.ts';
import { finishesTypingWithin } from '../wait/finishes-typing-within.ts';
import { waitForSessions } from '../wait/wait-for-sessions.ts';
import { clearUnparsedLine, isUnparsedLineLeft } from './clear-unparsed-line.ts';
import { CommandTracker } from './command-tracker.ts';
import { forgetAtEnd } from './forget-at-end.ts';
import { planRun, type RunPlan } from './plan-run.ts';
import { type CommandOutcome, runResult } from './run-result.ts';
import type { RunningCommand } from './session-shell.ts';
import { waitForCommandEnd } from './wait-for-command-end.ts';

/** Runs a command in the shell of an open session. */
export const runInSession = async (
  session: Session,
  request: RunRequest,
  call: CallOptions,
): Promise<RunResult> => {
  const startedMs = performance.now();
  const before = session.shell.running;
  if (before?.isAwaited) throw new SessionBusy(session.name, before.command);
  const running: RunningCommand = { command: request.command, isAwaited: true };
  session.shell.running = running;
  let tracker: CommandTracker | undefined;
  let isTyped = false;
  try {
    const target = await planRun(session, request.command, before);
    const key = target.marks === 'typed' ? randomBytes(8).toString('hex') : undefined;
    if (target.marks === 'typed') running.typedAtPrompt = target.prompt;
    session.readers
      .get(call.reader ?? DEFAULT_ACTOR)
      .carryOver(session.hiddenSpans(target.verdict));
    tracker = CommandTracker.begin(session, request.command, key);
    running.tracker = tracker;
    let typingMs = startedMs;
    await withApproval((approval) => {
      // The time in which a person was asked does not count.
      if (approval !== undefined) typingMs = performance.now();
      const typing = type(session, request.command, target, { key, call, approval });
      return finishesTypingWithin(typing, request.timeoutMs, call.signal);
    }, call);
    isTyped = true;
    const leftMs = Math.max(0, request.timeoutMs - (performance.now() - typingMs));
    const waited = await waitForCommandEnd(session, tracker, leftMs, call);
    const { command } = request;
    const common = { session, command, tracker, startedMs, isNewShell: false };
    const outcome: CommandOutcome = { ...common, endMark: target.marks, ...waited };
    if (isMarkLost(outcome)) {
      outcome.endMark = 'lost';
      tracker.stop();
      session.shell.running = undefined;
    } else if (isUnparsedLineLeft(outcome))
      Object.assign(outcome, await clearUnparsedLine(session, call));
    // The caller may be away for a while. Meanwhile others may use the shell.
    release(session, running);
    return await runResult(outcome, request.maxTokens, call);
  } catch (error) {
    if (!isTyped) {
      tracker?.stop();
      session.shell.running = before;
    }
    throw error;
  } finally {
    release(session, running);
  }
};

/** Whether the shell is at its prompt, but has not marked the command, and will not any more. */
const isMarkLost = ({ tracker, verdict }: CommandOutcome): boolean =>
  tracker.isStartUnseen ||
  (tracker.end === undefined && verdict.state === 'waiting' && verdict.isUnmarked === true);

const release = ({ shell }: Session, running: RunningCommand): void => {
  running.isAwaited = false;
  if (shell.running === running) forgetAtEnd(shell);
};

/** Runs a command in a new shell, which got the command at its start. */
export const runInNewShell = async (
  session: Session,
  { command, timeoutMs, maxTokens }: RunRequest,
  call: CallOptions,
): Promise<RunResult> => {
  const startedMs = performance.now();
  // The command ends with its shell: the output of an exit trap and its code belong to the command.
  const tracker = CommandTracker.begin(session, command, undefined);
  tracker.start(0);
  let cwd: string | undefined;
  const onEvent = (event: ScreenEvent) => {
    if (event.type === 'typed-mark' && event.key === session.shell.aid) cwd = event.cwd;
  };
  session.onScreenEvent.add(onEvent);
  try {
    const condition = { until: 'ready', from: 0, timeoutMs } as const;
    const { verdict, timedOut } = await waitForSessions([session], () => condition, call);
    const outcome: CommandOutcome = {
      session,
      command,
      tracker,
      startedMs,
      endMark: 'shell',
      isNewShell: true,
      ...ifDefined('cwd', cwd ?? session.screen.finalMark?.cwd),
      verdict,
      timedOut,
    };
    return await runResult(outcome, maxTokens, call);
  } finally {
    tracker.stop();
    session.onScreenEvent.delete(onEvent);
  }
};

const type = (
  session: Session,
  command: string,
  target: RunPlan,
  {
    key,
    call,
    approval,
  }: { key: string | undefined; call: CallOptions; approval?: Approval | undefined },
): Promise<void> => {
  const noTabs = !session.screen.modes.bracketedPaste;
  const text =
    target.marks === 'typed' ? wrapInTypedMarks(command, key!, target.syntax, { noTabs }) : command;
  // As a paste, so that no line editor completes, corrects or expands it.
  return session.input.type({ text, paste: true, run: command }, actorOf(call), approval);
};
