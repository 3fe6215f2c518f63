/** Builds the result of a run: the command's own output and exit code, and the session's state. */

import type { Verdict } from '../../state/verdict.ts';
import { workingFolderOf } from '../../system/proc/process-info.ts';
import { fitToBudget, type ViewLine } from '../../views/budget.ts';
import { textViewFrom } from '../../views/text.ts';
import { DEFAULT_ACTOR } from '../options/options.ts';
import type { ReadResult } from '../output/session-readers.ts';
import type { Session } from '../session.ts';
import type { CallOptions, RunResult } from '../sessions.ts';
import { type CommandOutputLines, commandOutput } from './command-output.ts';
import type { CommandTracker } from './command-tracker.ts';

export interface CommandOutcome {
  session: Session;
  command: string;
  tracker: CommandTracker;
  startedMs: number;
  endMark: RunResult['endMark'];
  /** It ran in a shell that was started for it. */
  isNewShell: boolean;
  /** The shell put the line back into its editor, and it was cleared there. */
  isLineCleared?: true;
  /** The folder of the new shell at its end. */
  cwd?: string;
  verdict: Verdict;
  timedOut: boolean;
}

export const runResult = async (
  outcome: CommandOutcome,
  maxTokens: number,
  { reader = DEFAULT_ACTOR, untilHeard }: CallOptions,
): Promise<RunResult> => {
  await untilHeard?.();
  const { session, tracker, endMark, timedOut } = outcome;
  const { end } = tracker;
  const isRefused = tracker.isRefused && outcome.verdict.state === 'waiting';
  const isOver = end !== undefined || isRefused || outcome.verdict.state === 'exited';
  const verdict = isOver ? outcome.verdict : unfinishedVerdict(outcome);
  const isFullScreen = !isOver && session.screen.modes.alternateScreen;
  const lines = isFullScreen ? undefined : linesOf(outcome);
  const exitCode = isOver ? exitCodeOf(outcome, lines) : undefined;
  const result =
    lines === undefined
      ? await session.read(reader, { view: 'text', maxTokens }, verdict)
      : readResultOf(lines, maxTokens, session);
  // The output is in this result, so it counts as read. Not needed for a new shell, which is closed
  // after its end unless some of its output was cut.
  const isClosed = outcome.isNewShell && verdict.state === 'exited' && result.omitted === undefined;
  if (lines !== undefined && !isClosed)
    session.readers.get(reader).skip(session.hiddenSpans(verdict), linesAfterEnd(outcome, verdict));
  const cwd = outcome.cwd ?? (end && (end.cwd ?? folderOf(session)));
  const nowMs = performance.now();
  return {
    ...session.stateOf(verdict),
    ...result,
    ...(exitCode !== undefined && { exitCode }),
    ...(cwd !== undefined && { cwd }),
    ...(lines !== undefined && { endsLine: lines.isEnded && lines.lines.length > 0 }),
    ...(tracker.startedMs !== undefined && {
      tookMs: Math.round((end?.atMs ?? nowMs) - tracker.startedMs),
    }),
    elapsedMs: Math.round(nowMs - outcome.startedMs),
    ...(timedOut && { timedOut }),
    endMark,
  };
};

/** The folder of a shell that has not reported it. */
const folderOf = ({ shell, terminal }: Session): string | undefined => {
  if (shell.kind === undefined || terminal.exit !== undefined) return undefined;
  return workingFolderOf(terminal.programPid);
};

const readResultOf = (
  { lines, gone, hidden }: CommandOutputLines,
  maxTokens: number,
  session: Session,
): ReadResult => {
  const fitted = fitToBudget(lines, maxTokens, gone);
  return {
    ...fitted,
    output: session.masked(fitted.output),
    ...(hidden > 0 && { hidden }),
    position: session.screen.position,
  };
};

const linesOf = (outcome: CommandOutcome): CommandOutputLines => {
  const { session, tracker, verdict } = outcome;
  const { screen } = session;
  if (!tracker.hasStarted) {
    const isEnded = tracker.end !== undefined || tracker.isRefused;
    return { ...shellMessage(outcome), isEnded };
  }
  const ranges = tracker.ranges(screen.position);
  const { lines, isEnded, ...rest } = commandOutput(screen, ranges, session.hiddenSpans());
  const prompt = verdict.state === 'waiting' ? verdict.prompt : undefined;
  const isPrompt = !tracker.isEndExact && prompt?.trimEnd() === lines.at(-1)?.text.trimEnd();
  return { lines: isPrompt ? lines.slice(0, -1) : lines, isEnded: isEnded || isPrompt, ...rest };
};

/** What the shell has printed between the end of the command and its prompt: `[1]+ Done`. */
const linesAfterEnd = (outcome: CommandOutcome, verdict: Verdict): readonly ViewLine[] => {
  const { session, tracker, endMark } = outcome;
  if (tracker.end === undefined || endMark !== 'shell' || outcome.isLineCleared) return [];
  const { position } = tracker.end;
  const hidden = [...session.hiddenSpans(verdict), { from: tracker.typedAt, to: position }];
  hidden.sort((one, other) => one.to - other.to);
  const { lines } = textViewFrom(session.screen, position, hidden);
  // After output without a line end, zsh and fish print a sign there.
  const isWithinLine = (session.screen.locate(position)?.index ?? 0) > 0;
  return isWithinLine ? lines.filter((line) => line.position > position) : lines;
};

/** The error of a shell that cannot parse a line. It never runs the line, or waits for the rest. */
const shellMessage = ({
  session,
  tracker,
  verdict,
}: CommandOutcome): Pick<CommandOutputLines, 'lines' | 'hidden'> => {
  const { screen } = session;
  const afterEnd = tracker.end && { from: tracker.end.position, to: screen.anchor() };
  const hidden = afterEnd ? [...session.hiddenSpans(), afterEnd] : session.hiddenSpans(verdict);
  // The first line holds the prompt and the typed text.
  const view = textViewFrom(screen, tracker.typedAt, hidden);
  return {
    lines: view.lines.filter(({ position }) => position > tracker.typedAt),
    hidden: view.hidden ?? 0,
  };
};

const exitCodeOf = (
  { session, command, tracker }: CommandOutcome,
  message: CommandOutputLines | undefined,
): number | undefined => {
  const { end } = tracker;
  if (tracker.hasStarted) return end?.exitCode;
  if (tracker.isStartUnseen) return undefined;
  if (end === undefined) return tracker.isRefused ? 1 : undefined;
  // There was nothing to run, and the shell repeats the exit code of the command before. But a shell that
  // cannot parse a line may say so elsewhere (exec 2>file).
  if (message?.lines.length === 0 && isNothing(command)) return 0;
  return session.shell.kind === 'bash' ? (end.exitCode ?? 1) : 1;
};

/** Only blanks and comments. */
const isNothing = (command: string): boolean => /^\s*(?:#.*\s*)*$/.test(command);

/** If the shell has taken the line but waits for more before it runs it: a quote is open, say. */
const unfinishedVerdict = ({ verdict, tracker }: CommandOutcome): Verdict =>
  verdict.state !== 'waiting' || tracker.hasStarted
    ? verdict
    : {
        ...verdict,
        waitingFor: 'line',
        because:
          'the command is not complete, and the shell waits for the rest of it (keys C-c drop it)',
      };
