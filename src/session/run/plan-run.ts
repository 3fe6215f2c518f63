/** Decides whether a session can run a command now, and which marks will show its end. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  LineBegun,
  NotAShell,
  ProgramExited,
  SessionBusy,
  UnusableArgument,
} from '../../errors.ts';
import { isSlowToPasteInFish, type ShellSyntax, shellSyntaxOf } from '../../shell/typed-marks.ts';
import type { Observation } from '../../state/judge.ts';
import type { Verdict } from '../../state/verdict.ts';
import { describeExit } from '../../system/process/describe-exit.ts';
import type { Session } from '../session.ts';
import type { RunningCommand } from './session-shell.ts';

export type RunPlan = { verdict: Verdict } & (
  | { marks: 'shell' }
  | { marks: 'typed'; syntax: ShellSyntax; prompt: string }
);

/** How long a shell may take to draw its prompt after a command: it may call git or use the network. */
const MAX_PROMPT_MS = 2000;
/** The pause between two observations of a session that changes. */
const PAUSE_MS = 2;

/** Throws if it cannot. `before`: an earlier command that may still be running. */
export const planRun = async (
  session: Session,
  command: string,
  before: RunningCommand | undefined,
): Promise<RunPlan> => {
  const { name, terminal } = session;
  const exited = () =>
    new ProgramExited('given a command', describeExit(terminal.exit ?? {}), name);
  if (terminal.exit !== undefined) throw exited();
  if (terminal.device === undefined)
    throw new UnusableArgument('session', `"${name}" has no terminal, so its shell has no prompt`);
  const { verdict, evidence } = await settledObservation(session, before);
  const running = before?.command ?? verdict.foreground ?? session.command.join(' ');
  if (verdict.state === 'exited') throw exited();
  if (verdict.state === 'working') throw new SessionBusy(name, running);

  const { own: ownMark } = session.screen.marks;
  const isOwn = evidence.shell?.at === 'prompt' && !evidence.shell.isWithin;
  const { prompt = '' } = verdict;
  const typed = (syntax: ShellSyntax): RunPlan => {
    // An interrupt also drops the end mark that was typed with the command. Then only an equal prompt
    // shows that the command has ended.
    if (before?.typedAtPrompt !== undefined && !isSamePrompt(before.typedAtPrompt, prompt))
      throw new SessionBusy(name, running, prompt);
    return { marks: 'typed', syntax, prompt, verdict };
  };
  if (verdict.waitingFor === 'command') {
    if (ownMark === undefined || !isOwn) return typed(shellSyntaxOf(verdict.foreground));
    refuseUnfinishedLine(session, evidence.shell?.sinceInput === true);
    const { kind, marksCommands } = session.shell;
    // A typed tab is a key; for fish even in a paste.
    const isTabKey = kind === 'fish' || !session.screen.modes.bracketedPaste;
    const isTabLost = command.includes('\t') && isTabKey;
    const isSlow = kind === 'fish' && isSlowToPasteInFish(command);
    return !marksCommands || isTabLost || isSlow
      ? typed(shellSyntaxOf(kind))
      : { marks: 'shell', verdict };
  }
  const waits = evidence.kernel?.threads.flatMap(({ terminalWait }) => terminalWait ?? []) ?? [];
  const isRemote =
    waits.length === 0 || waits.some((wait) => wait.isBlindRelay || wait.alsoWaitsForPeer);
  // There may be a shell behind ssh or the client of a container. We cannot see it.
  if (verdict.waitingFor === 'line' && isRemote) return typed('posix');
  // The shell waits for the rest of another command: a quote is open, say.
  if (evidence.shell?.isContinued) throw new SessionBusy(name, running, prompt);
  const isOwnCommand = ownMark?.mark === 'output' && verdict.foreground === session.shell.kind;
  if (before !== undefined || isOwnCommand) throw new SessionBusy(name, running, prompt);
  // The shell asks something else: whether to list all possibilities, or a question in PROMPT_COMMAND.
  const isInner = evidence.kernel?.isNested === true;
  const asksForKey =
    verdict.waitingFor === 'key' && !isInner && waits.some(({ isShell }) => isShell);
  if (asksForKey || (isOwn && ownMark !== undefined)) throw new SessionBusy(name, running, prompt);
  // `exec dash`: a shell without marks has replaced one with marks.
  if (waits.some(({ isShell }) => isShell)) return typed(shellSyntaxOf(verdict.foreground));
  throw new NotAShell(name, verdict.foreground ?? 'a program');
};

/** An observation without changes meanwhile. If the shell is drawing its prompt, we wait for that. */
const settledObservation = async (
  session: Session,
  before: RunningCommand | undefined,
): Promise<Observation> => {
  const deadlineMs = performance.now() + MAX_PROMPT_MS;
  for (;;) {
    const observation = session.observe();
    const isLate = performance.now() > deadlineMs;
    if (observation !== undefined && (isLate || observation.verdict.state !== 'working'))
      return observation;
    const { own: ownMark } = session.screen.marks;
    // Without marks the last one says that a command runs, although it may have ended long ago.
    const mayBeOver = session.shell.isUnmarked && before === undefined;
    const isRunning = ownMark?.mark === 'output' && !mayBeOver;
    if (observation !== undefined && (ownMark === undefined || isRunning)) return observation;
    if (isLate) throw new SessionBusy(session.name, session.command.join(' '));
    await delay(PAUSE_MS);
  }
};

/**
 * Whether two prompts are the same. Output without a line end may stand before either of them on its
 * line, so one may end with the other.
 */
const isSamePrompt = (one: string, other: string): boolean =>
  one !== '' && other !== '' && (one.endsWith(other) || other.endsWith(one));

/** Text that is already on the line would become part of the command. */
const refuseUnfinishedLine = (session: Session, isNewPrompt: boolean): void => {
  const { screen } = session;
  const { textBeforeCursor, cursorLine } = screen;
  const { own: ownMark } = screen.marks;
  const prompt = ownMark?.mark === 'input' ? ownMark : undefined;
  if (prompt?.begun) throw new LineBegun(session.name, textBeforeCursor.trim());
  // What stands there although nothing was typed is said by a job.
  if (isNewPrompt) return;
  const end = prompt && screen.locate(prompt.position);
  const isOnLine = end !== undefined && cursorLine?.id === end.id;
  const afterPrompt = isOnLine ? textBeforeCursor.slice(end.index) : '';
  const line = afterPrompt.trim() || session.input.unfinished;
  if (line !== '') throw new LineBegun(session.name, line);
};
