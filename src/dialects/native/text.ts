/** Results as text for the model: the output, then one line that says whose turn it is. */

import type {
  RunResult,
  SessionResult,
  SessionState,
  SessionSummary,
  UnreachableHost,
} from '../../session/sessions.ts';
import type { CloseResult } from '../../system/terminal/terminal.ts';

/**
 * Clients cut long results, some at the end: opencode keeps 2,000 lines, others fewer. Where the output is
 * longer than a screen, how it ended is said first as well.
 */
const LONG_OUTPUT_LINES = 60;
const LONG_OUTPUT_CHARACTERS = 8000;

export const resultText = (result: SessionResult): string =>
  aroundOutput(result, `[${result.session}: ${describeSessionState(result)}]`);

/** Without this line a search without results looks like one that was not made. */
export const noMatchText = ({ output }: SessionResult, search: string | undefined): string =>
  search === undefined || output !== '' ? '' : `[nothing matches ${search}]`;

export const runResultText = (result: RunResult): string => {
  const hasEnded = result.exitCode !== undefined || result.signal !== undefined;
  if (result.endMark === 'lost') return aroundOutput(result, '[ended, exit code unknown]');
  if (!hasEnded) return resultText(result);
  const { session, omitted, cwd } = result;
  const folder = cwd === undefined ? '' : `, in ${cwd}`;
  const rest =
    omitted === undefined ? '' : `${omittedText(result)}, to be read in session ${session}`;
  return aroundOutput(result, `[${exitText(result)}${folder}${rest}${hiddenText(result)}]`);
};

const aroundOutput = (result: SessionResult, status: string): string => {
  const { output } = result;
  const isLong =
    output.length > LONG_OUTPUT_CHARACTERS || output.split('\n').length > LONG_OUTPUT_LINES;
  return lines(isLong ? status : '', output, status, noticeText(result));
};

export const noticeText = ({ notice }: SessionState): string =>
  notice === undefined ? '' : `[${notice}]`;

export const listText = (
  summaries: readonly SessionSummary[],
  unreachable: readonly UnreachableHost[] = [],
): string => {
  const silent = unreachable.map(({ host, reason }) => `[${host}: ${reason}]`);
  if (summaries.length === 0) return lines('[no sessions]', ...silent);
  const line = (summary: SessionSummary) => {
    const unread = summary.unread > 0 ? `; ${summary.unread} bytes unread` : '';
    return `${summary.session}: ${stateText(summary)}; idle ${seconds(summary.idleMs)}${unread}`;
  };
  return lines(...summaries.map(line), ...silent);
};

export const closeResultText = (closed: readonly string[], { survivors }: CloseResult): string => {
  const names = closed.join(', ');
  const still = survivors.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ');
  const parts = [
    ...(names === '' ? [] : [`closed: ${names}`]),
    ...(still === '' ? [] : [`still running: ${still}`]),
  ];
  return `[${parts.join('; ') || 'closed: none'}]`;
};

const lines = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n');

export const describeSessionState = (result: SessionResult): string => {
  const timeout = result.timedOut ? ` after ${seconds(result.elapsedMs)}, time is up` : '';
  return `${stateText(result, timeout)}${matchedText(result)}${screenText(result)}${omittedText(result)}${hiddenText(result)}`;
};

const stateText = (state: SessionState, timeout = ''): string => {
  const parts = [turnText(state) + timeout];
  if (state.listening) parts.push(`listening on port ${state.listening.join(', ')}`);
  if (state.keyboard) parts.push(`${state.keyboard} has the keyboard`);
  return parts.join('; ');
};

export const turnText = (session: SessionState): string => {
  const { state, foreground, waitingFor = 'line', prompt, certainty } = session;
  if (state === 'exited') return exitText(session);
  const program = foreground && foreground !== session.session ? `${foreground} ` : '';
  if (state === 'working') return `${program}${program ? 'is ' : ''}still working`;
  const atPrompt = prompt ? ` at ${JSON.stringify(prompt)}` : '';
  return `${program}waiting for a ${waitingFor}${atPrompt}${certaintyText[certainty]}`;
};

const certaintyText = {
  certain: '',
  likely: ' (likely)',
  guess: ' (a guess: it is silent)',
} as const;

const exitText = ({ exitCode, signal }: SessionState): string =>
  signal === undefined ? `exit code ${exitCode ?? 'unknown'}` : `ended by ${signal}`;

const matchedText = ({ matched }: SessionResult): string =>
  matched === undefined ? '' : `; matched ${JSON.stringify(matched)}`;

const screenText = ({ screen }: SessionResult): string => {
  if (screen === undefined) return '';
  const { cursor, cols, rows, title, marked } = screen;
  const hidden = cursor.visible ? '' : ' (hidden)';
  const shown = marked
    .slice(0, MAX_MARKED)
    .map(({ row, text }) => `${JSON.stringify(text)} in row ${row}`);
  return [
    `; cursor at column ${cursor.col}, row ${cursor.row}${hidden} of ${cols}x${rows}`,
    ...(title === '' ? [] : [`title ${JSON.stringify(title)}`]),
    ...(shown.length === 0 ? [] : [`marked: ${shown.join(', ')}`]),
  ].join('; ');
};

/** A menu has one selected entry; a screen with many marked texts is coloured, and they say little. */
const MAX_MARKED = 5;

/** The cut is marked in the output too, but a reader may skip over that. */
const omittedText = ({ omitted }: SessionResult): string =>
  omitted === undefined
    ? ''
    : `; ${omitted.lines} ${omitted.lines === 1 ? 'line' : 'lines'} left out`;

/** A model that looks for such characters has to know that there are some. */
const hiddenText = ({ hidden = 0 }: SessionResult): string =>
  hidden === 0
    ? ''
    : `; ${hidden} hidden ${hidden === 1 ? 'character' : 'characters'} left out, which nobody would see`;

const seconds = (ms: number): string =>
  `${ms < 10_000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
