/** Whether a session can run a command now, and by which marks its end will be known. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  LineBegun,
  NotAShell,
  ProgramExited,
  SessionBusy,
  UnusableArgument,
} from '../../errors.ts';
import { type ShellSyntax, shellSyntaxOf } from '../../shell/typed.ts';
import type { Verdict } from '../../state/verdict.ts';
import { describeExit } from '../../system/process/exit.ts';
import { Pty } from '../../system/terminal/pty.ts';
import type { Observation } from '../observation.ts';
import type { Session } from '../session.ts';
import type { RunningCommand } from './session-shell.ts';

export type RunTarget = { verdict: Verdict } & (
  | { marks: 'shell' }
  | { marks: 'typed'; dialect: ShellSyntax; prompt: string }
);

/** A shell that has ended a command draws its prompt, for which some ask git or the network. */
const PROMPT_MS = 2000;
/** How soon a session that moves is looked at again. */
const AGAIN_MS = 2;

/** Throws why it cannot. `before` is the command that is not known to have ended. */
export const findRunTarget = async (
  session: Session,
  command: string,
  before: RunningCommand | undefined,
): Promise<RunTarget> => {
  const { name, channel } = session;
  const exited = () => new ProgramExited('given a command', describeExit(channel.exit ?? {}), name);
  if (channel.exit !== undefined) throw exited();
  if (!(channel instanceof Pty))
    throw new UnusableArgument('session', `"${name}" has no terminal, so its shell has no prompt`);
  const { verdict, evidence } = await settledObservation(session);
  const running = before?.command ?? verdict.foreground ?? session.command.join(' ');
  if (verdict.state === 'exited') throw exited();
  if (verdict.state === 'working') throw new SessionBusy(name, running);

  const { ownMark } = session.screen;
  const isOwn = evidence.shell?.at === 'prompt' && !evidence.shell.isWithin;
  const { prompt = '' } = verdict;
  const typed = (dialect: ShellSyntax): RunTarget => {
    // An interrupt takes the mark behind the command along; then only the prompt tells.
    if (before?.typedAtPrompt !== undefined && !isSamePrompt(before.typedAtPrompt, prompt))
      throw new SessionBusy(name, running, prompt);
    return { marks: 'typed', dialect, prompt, verdict };
  };
  if (verdict.waitingFor === 'command') {
    if (ownMark === undefined || !isOwn) return typed(shellSyntaxOf(verdict.foreground));
    refuseBegunLine(session, evidence.shell?.sinceInput === true);
    const { kind, marksCommands } = session.shell;
    // Typed, a tab is a key; to fish even in a paste.
    const isTabKey = kind === 'fish' || !session.screen.modes.bracketedPaste;
    return !marksCommands || (command.includes('\t') && isTabKey)
      ? typed(shellSyntaxOf(kind))
      : { marks: 'shell', verdict };
  }
  const waits = evidence.kernel?.threads.flatMap(({ terminalWait }) => terminalWait ?? []) ?? [];
  const isUnseen = waits.length === 0 || waits.some((wait) => wait.isBlindRelay || wait.withPeer);
  // Behind ssh or a container's client may be a shell; nobody here can tell.
  if (verdict.waitingFor === 'line' && isUnseen) return typed('posix');
  // An open quote, say: the rest of another command is awaited.
  if (evidence.shell?.isContinued) throw new SessionBusy(name, running, prompt);
  const isOwnCommand = ownMark?.mark === 'output' && verdict.foreground === session.shell.kind;
  if (before !== undefined || isOwnCommand) throw new SessionBusy(name, running, prompt);
  // `exec dash`: in the place of a shell with marks one without.
  if (waits.some(({ isShell }) => isShell)) return typed(shellSyntaxOf(verdict.foreground));
  throw new NotAShell(name, verdict.foreground ?? 'a program');
};

/** As soon as it holds still, and has drawn the prompt that it was about to draw. */
const settledObservation = async (session: Session): Promise<Observation> => {
  const untilMs = performance.now() + PROMPT_MS;
  for (;;) {
    const observation = session.observe();
    const isLate = performance.now() > untilMs;
    if (observation !== undefined && (isLate || observation.verdict.state !== 'working'))
      return observation;
    const { ownMark } = session.screen;
    if (observation !== undefined && (ownMark === undefined || ownMark.mark === 'output'))
      return observation;
    if (isLate) throw new SessionBusy(session.name, session.command.join(' '));
    await delay(AGAIN_MS);
  }
};

/** Output that does not end its line may stand before either. */
const isSamePrompt = (one: string, other: string): boolean =>
  one !== '' && other !== '' && (one.endsWith(other) || other.endsWith(one));

/** What was typed ahead of the command would become part of it. */
const refuseBegunLine = (session: Session, isNewPrompt: boolean): void => {
  const { screen } = session;
  const { ownMark, textBeforeCursor, cursorLine } = screen;
  const prompt = ownMark?.mark === 'input' ? screen.placeOf(ownMark.position) : undefined;
  const isOnLine = prompt !== undefined && cursorLine?.id === prompt.id;
  const shown = isOnLine ? textBeforeCursor.slice(prompt.index) : '';
  const line = shown.trim() || (isNewPrompt ? '' : session.input.typedLine.unfinished);
  if (line !== '') throw new LineBegun(session.name, line);
};
