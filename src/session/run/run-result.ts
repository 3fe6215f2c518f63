/** What a run returns: the command's own output and end, and how it stands with the session. */

import type { Verdict } from '../../state/verdict.ts';
import { workingFolderOf } from '../../system/proc/process-info.ts';
import { fitToBudget, type ViewLine } from '../../views/budget.ts';
import { textFrom } from '../../views/text.ts';
import { AGENT } from '../options/options.ts';
import type { ReadResult } from '../output/readers.ts';
import type { Session } from '../session.ts';
import type { CallOptions, RunResult } from '../sessions.ts';
import { commandOutput, type OutputLines } from './command-output.ts';
import type { CommandTracker } from './command-tracker.ts';

export interface CommandOutcome {
  session: Session;
  course: CommandTracker;
  startedMs: number;
  endMark: RunResult['endMark'];
  /** In a shell of its own, which was started for it. */
  isFresh: boolean;
  /** The shell gave the line back to be edited, and was made to forget it. */
  isDropped?: true;
  /** Where that shell was at its end. */
  cwd?: string;
  verdict: Verdict;
  timedOut: boolean;
}

export const runResult = async (
  outcome: CommandOutcome,
  maxTokens: number,
  { reader = AGENT }: CallOptions,
): Promise<RunResult> => {
  const { session, course: tracker, endMark, timedOut } = outcome;
  const { end, beganMs } = tracker;
  const isRefused = tracker.isRefused && outcome.verdict.state === 'waiting';
  const isOver = end !== undefined || isRefused || outcome.verdict.state === 'exited';
  const verdict = isOver ? outcome.verdict : asking(outcome);
  const isFullScreen = !isOver && session.screen.modes.alternateScreen;
  const lines = isFullScreen ? undefined : linesOf(outcome);
  const exitCode = isOver ? exitCodeOf(outcome, lines) : undefined;
  const result =
    lines === undefined
      ? await session.read(reader, { view: 'text', maxTokens }, verdict)
      : readResultOf(lines, maxTokens, session);
  // Whatever a reader makes of the command, it is read. A shell of its own is gone with its end, but
  // where some of its output was cut.
  const isGone = outcome.isFresh && verdict.state === 'exited' && result.omitted === undefined;
  if (lines !== undefined && !isGone)
    session.readers.get(reader).skip(session.hiddenSpans(verdict), saidAfter(outcome, verdict));
  const cwd = outcome.cwd ?? (end && (end.cwd ?? folderOf(session)));
  const nowMs = performance.now();
  return {
    ...session.stateOf(verdict),
    ...result,
    ...(exitCode !== undefined && { exitCode }),
    ...(cwd !== undefined && { cwd }),
    ...(lines !== undefined && { endsLine: lines.isEnded && lines.lines.length > 0 }),
    ...(beganMs !== undefined && { tookMs: Math.round((end?.atMs ?? nowMs) - beganMs) }),
    elapsedMs: Math.round(nowMs - outcome.startedMs),
    ...(timedOut && { timedOut }),
    endMark,
  };
};

/** Of a shell that has not told. */
const folderOf = ({ shell, channel }: Session): string | undefined => {
  if (shell.kind === undefined || channel.exit !== undefined) return undefined;
  return workingFolderOf(channel.pid);
};

const readResultOf = (
  { lines, gone }: OutputLines,
  maxTokens: number,
  session: Session,
): ReadResult => {
  const fitted = fitToBudget(lines, maxTokens, gone);
  return { ...fitted, output: session.masked(fitted.output), position: session.screen.position };
};

const linesOf = (outcome: CommandOutcome): OutputLines => {
  const { session, course: tracker, verdict } = outcome;
  const { screen } = session;
  if (!tracker.hasBegun) {
    const isEnded = tracker.end !== undefined || tracker.isRefused;
    return { lines: complaint(outcome), isEnded };
  }
  const ranges = tracker.ranges(screen.position);
  const { lines, isEnded, ...rest } = commandOutput(screen, ranges, session.hiddenSpans());
  const prompt = verdict.state === 'waiting' ? verdict.prompt : undefined;
  const isPrompt = !tracker.isEndExact && prompt?.trimEnd() === lines.at(-1)?.text.trimEnd();
  return { lines: isPrompt ? lines.slice(0, -1) : lines, isEnded: isEnded || isPrompt, ...rest };
};

/** What the shell itself has said between the end of the command and its prompt: `[1]+ Done`. */
const saidAfter = (outcome: CommandOutcome, verdict: Verdict): readonly ViewLine[] => {
  const { session, course: tracker, endMark } = outcome;
  if (tracker.end === undefined || endMark !== 'shell' || outcome.isDropped) return [];
  const { position } = tracker.end;
  const leftOut = [...session.hiddenSpans(verdict), { from: tracker.typedAt, to: position }];
  leftOut.sort((one, other) => one.to - other.to);
  const { lines } = textFrom(session.screen, position, leftOut);
  // zsh and fish say there that the output has not ended its line.
  const isBehindOutput = (session.screen.placeOf(position)?.index ?? 0) > 0;
  return isBehindOutput ? lines.filter((line) => line.position > position) : lines;
};

/** A shell that cannot parse a line says so, and never begins to run it, or asks for the rest anew. */
const complaint = ({ session, course: tracker, verdict }: CommandOutcome): ViewLine[] => {
  const { screen } = session;
  const rest = tracker.end && { from: tracker.end.position, to: screen.anchor() };
  const leftOut = rest ? [...session.hiddenSpans(), rest] : session.hiddenSpans(verdict);
  // The first line has the prompt, and what was typed at it.
  const { lines } = textFrom(screen, tracker.typedAt, leftOut);
  return lines.filter(({ position }) => position > tracker.typedAt);
};

const exitCodeOf = (
  { session, course: tracker }: CommandOutcome,
  said: OutputLines | undefined,
): number | undefined => {
  const { end } = tracker;
  if (tracker.hasBegun) return end?.exitCode;
  if (end === undefined) return tracker.isRefused ? 1 : undefined;
  // Nothing was run, and the shell repeats the code of what it ran before.
  if (said?.lines.length === 0) return 0;
  return session.shell.kind === 'bash' ? (end.exitCode ?? 1) : 1;
};

/** The shell has taken the line, has not begun to run it, and reads on: it lacks a quote, say. */
const asking = ({ verdict, course: tracker }: CommandOutcome): Verdict =>
  verdict.state !== 'waiting' || tracker.hasBegun
    ? verdict
    : {
        ...verdict,
        waitingFor: 'line',
        because:
          'the command is not complete, and the shell waits for the rest of it (keys C-c drop it)',
      };
