/** Results as text for the model: the output, then one line that says whose turn it is. */

import type {
  RunResult,
  SessionResult,
  SessionState,
  SessionSummary,
} from '../../session/sessions.ts';
import type { CloseResult } from '../../system/terminal/terminal.ts';

/**
 * Returns advice on how a person can type a secret into a session. Only the MCP server, or the program
 * that uses the library, knows this.
 */
export type MakeSecretAdvice = (session: string) => string;

export const resultText = (
  result: SessionResult,
  personAnswers: MakeSecretAdvice,
  search?: string,
): string =>
  lines(
    result.output,
    noMatchText(result, search),
    `[${result.session}: ${describeSessionState(result)}]`,
    noticeText(result),
    secretAdvice(result, personAnswers),
  );

/** Without this line a search without results looks like one that was not made. */
export const noMatchText = ({ output }: SessionResult, search: string | undefined): string =>
  search === undefined || output !== '' ? '' : `[nothing matches ${search}]`;

export const runResultText = (result: RunResult, personAnswers: MakeSecretAdvice): string => {
  const hasEnded = result.exitCode !== undefined || result.signal !== undefined;
  if (result.endMark === 'lost') return lines(result.output, `[${LOST_TEXT}]`, noticeText(result));
  if (!hasEnded) return resultText(result, personAnswers);
  const { session, omitted, cwd } = result;
  const folder = cwd === undefined ? '' : `, in ${cwd}`;
  const rest =
    omitted === undefined ? '' : `${omittedText(result)}, to be read in session ${session}`;
  return lines(
    result.output,
    `[${exitText(result)}${folder}${rest}${hiddenText(result)}]`,
    noticeText(result),
  );
};

export const noticeText = ({ notice }: SessionState): string =>
  notice === undefined ? '' : `[${notice}]`;

/** The marks of the shell are gone, so the next commands get typed ones. */
export const LOST_TEXT =
  'ended, exit code unknown: the command has removed what marks its end in this shell; run works on';

export const listText = (summaries: readonly SessionSummary[]): string => {
  if (summaries.length === 0) return '[no sessions; terminal_open starts one]';
  const line = (summary: SessionSummary) => {
    const unread = summary.unread > 0 ? `; ${summary.unread} bytes unread` : '';
    return `${summary.session}: ${stateText(summary)}; idle ${seconds(summary.idleMs)}${unread}`;
  };
  return summaries.map(line).join('\n');
};

export const closeResultText = (closed: readonly string[], { survivors }: CloseResult): string => {
  const names = closed.join(', ');
  const still = survivors.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ');
  const parts = [
    ...(names === '' ? [] : [`closed: ${names}`]),
    ...(still === '' ? [] : [`still running: ${still}; force ends that too`]),
  ];
  return `[${parts.join('; ') || 'there was nothing to close'}]`;
};

const lines = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n');

export const describeSessionState = (result: SessionResult): string => {
  const timeout = result.timedOut ? ` after ${seconds(result.elapsedMs)}, time is up` : '';
  return `${stateText(result, timeout)}${cursorText(result)}${omittedText(result)}${hiddenText(result)}`;
};

const stateText = (state: SessionState, timeout = ''): string => {
  const parts = [turnText(state) + timeout];
  if (state.listening) parts.push(`listening on port ${state.listening.join(', ')}`);
  if (state.keyboard) parts.push(`${state.keyboard} has the keyboard`);
  return parts.join('; ');
};

const turnText = (session: SessionState): string => {
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

const cursorText = ({ screen }: SessionResult): string => {
  if (screen === undefined) return '';
  const { cursor, cols, rows } = screen;
  const hidden = cursor.visible ? '' : ' (hidden)';
  return `; cursor at column ${cursor.col}, row ${cursor.row}${hidden} of ${cols}x${rows}`;
};

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

const secretAdvice = (
  { session, waitingFor, secrets = [] }: SessionResult,
  personAnswers: MakeSecretAdvice,
) => {
  if (waitingFor !== 'secret') return '';
  const call = JSON.stringify({ session, secret: secrets[0] ?? 'NAME' });
  const stored =
    secrets.length > 0
      ? `Stored secrets: ${secrets.join(', ')}; terminal_send ${call} types one unseen.`
      : 'No stored secret fits.';
  return `It asks for a secret. Do not ask for it in the chat and do not type it as text. ${stored} ${personAnswers(session)}`;
};

const seconds = (ms: number): string =>
  `${ms < 10_000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
