/** What a run returns: the command's own output and end, and how it stands with the session. */

import type { Verdict } from '../../state/verdict.ts';
import { realProc } from '../../system/kernel/proc.ts';
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
  ran: CommandOutcome,
  maxTokens: number,
  { reader = AGENT }: CallOptions,
): Promise<RunResult> => {
  const { session, course, endMark, timedOut } = ran;
  const { end, beganMs } = course;
  const isRefused = course.isRefused && ran.verdict.state === 'waiting';
  const isOver = end !== undefined || isRefused || ran.verdict.state === 'exited';
  const verdict = isOver ? ran.verdict : asking(ran);
  const isFullScreen = !isOver && session.screen.modes.alternateScreen;
  const lines = isFullScreen ? undefined : linesOf(ran);
  const exitCode = isOver ? exitCodeOf(ran, lines) : undefined;
  const result =
    lines === undefined
      ? await session.read(reader, { view: 'text', maxTokens }, verdict)
      : readResultOf(lines, maxTokens, session);
  // Whatever a reader makes of the command, it is read. A shell of its own is gone with its end, but
  // where some of its output was cut.
  const isGone = ran.isFresh && verdict.state === 'exited' && result.omitted === undefined;
  if (lines !== undefined && !isGone)
    session.reader(reader).skip(session.leftOut(verdict), saidAfter(ran, verdict));
  const cwd = ran.cwd ?? (end && (end.cwd ?? folderOf(session)));
  const nowMs = performance.now();
  return {
    ...session.situation(verdict),
    ...result,
    ...(exitCode !== undefined && { exitCode }),
    ...(cwd !== undefined && { cwd }),
    ...(lines !== undefined && { endsLine: lines.isEnded && lines.lines.length > 0 }),
    ...(beganMs !== undefined && { tookMs: Math.round((end?.atMs ?? nowMs) - beganMs) }),
    elapsedMs: Math.round(nowMs - ran.startedMs),
    ...(timedOut && { timedOut }),
    endMark,
  };
};

/** Of a shell that has not told. */
const folderOf = ({ shell, channel }: Session): string | undefined => {
  if (shell.kind === undefined || channel.exit !== undefined) return undefined;
  const link = realProc.link(`/proc/${channel.pid}/cwd`);
  return link.missing ? undefined : link.value;
};

const readResultOf = (
  { lines, gone }: OutputLines,
  maxTokens: number,
  session: Session,
): ReadResult => {
  const fitted = fitToBudget(lines, maxTokens, gone);
  return { ...fitted, output: session.masked(fitted.output), position: session.screen.position };
};

const linesOf = (ran: CommandOutcome): OutputLines => {
  const { session, course, verdict } = ran;
  const { screen } = session;
  if (!course.hasBegun) {
    const isEnded = course.end !== undefined || course.isRefused;
    return { lines: complaint(ran), isEnded };
  }
  const ranges = course.ranges(screen.position);
  const { lines, isEnded, ...rest } = commandOutput(screen, ranges, session.leftOut());
  const prompt = verdict.state === 'waiting' ? verdict.prompt : undefined;
  const isPrompt = !course.isEndExact && prompt?.trimEnd() === lines.at(-1)?.text.trimEnd();
  return { lines: isPrompt ? lines.slice(0, -1) : lines, isEnded: isEnded || isPrompt, ...rest };
};

/** What the shell itself has said between the end of the command and its prompt: `[1]+ Done`. */
const saidAfter = (ran: CommandOutcome, verdict: Verdict): readonly ViewLine[] => {
  const { session, course, endMark } = ran;
  if (course.end === undefined || endMark !== 'shell' || ran.isDropped) return [];
  const { position } = course.end;
  const leftOut = [...session.leftOut(verdict), { from: course.typedAt, to: position }];
  leftOut.sort((one, other) => one.to - other.to);
  const { lines } = textFrom(session.screen, position, leftOut);
  // zsh and fish say there that the output has not ended its line.
  const isBehindOutput = (session.screen.placeOf(position)?.index ?? 0) > 0;
  return isBehindOutput ? lines.filter((line) => line.position > position) : lines;
};

/** A shell that cannot parse a line says so, and never begins to run it, or asks for the rest anew. */
const complaint = ({ session, course, verdict }: CommandOutcome): ViewLine[] => {
  const { screen } = session;
  const rest = course.end && { from: course.end.position, to: screen.anchor() };
  const leftOut = rest ? [...session.leftOut(), rest] : session.leftOut(verdict);
  // The first line has the prompt, and what was typed at it.
  const { lines } = textFrom(screen, course.typedAt, leftOut);
  return lines.filter(({ position }) => position > course.typedAt);
};

const exitCodeOf = (
  { session, course }: CommandOutcome,
  said: OutputLines | undefined,
): number | undefined => {
  const { end } = course;
  if (course.hasBegun) return end?.exitCode;
  if (end === undefined) return course.isRefused ? 1 : undefined;
  // Nothing was run, and the shell repeats the code of what it ran before.
  if (said?.lines.length === 0) return 0;
  return session.shell.kind === 'bash' ? (end.exitCode ?? 1) : 1;
};

/** The shell has taken the line, has not begun to run it, and reads on: it lacks a quote, say. */
const asking = ({ verdict, course }: CommandOutcome): Verdict =>
  verdict.state !== 'waiting' || course.hasBegun
    ? verdict
    : {
        ...verdict,
        waitingFor: 'line',
        because:
          'the command is not complete, and the shell waits for the rest of it (keys C-c drop it)',
      };
