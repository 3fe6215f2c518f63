/** Results as a model reads them: the output, then one line that says whose turn it is. */

import type {
  RunResult,
  SessionResult,
  SessionState,
  SessionSummary,
} from '../../session/sessions.ts';
import type { CloseResult } from '../../system/terminal/channel.ts';

/** How a person can answer a session that asks for a secret; the door knows. */
export type PersonAnswers = (session: string) => string;

export const resultText = (
  result: SessionResult,
  personAnswers: PersonAnswers,
  search?: string,
): string =>
  lines(
    result.output,
    nothingFound(result, search),
    `[${result.session}: ${standing(result)}]`,
    secretAdvice(result, personAnswers),
  );

/** Without a word, a search in vain looks like one that has not been made. */
export const nothingFound = ({ output }: SessionResult, search: string | undefined): string =>
  search === undefined || output !== '' ? '' : `[nothing matches ${search}]`;

export const runText = (result: RunResult, personAnswers: PersonAnswers): string => {
  const hasEnded = result.exitCode !== undefined || result.signal !== undefined;
  if (!hasEnded) return resultText(result, personAnswers);
  const place = result.cwd === undefined ? '' : `, in ${result.cwd}`;
  const { session, omitted } = result;
  const kept = omitted === undefined ? '' : `${leftOut(result)}, to be read in session ${session}`;
  return lines(result.output, `[${ending(result)}${place}${kept}]`);
};

export const listText = (summaries: readonly SessionSummary[]): string => {
  if (summaries.length === 0) return '[no sessions; terminal_open starts one]';
  const line = (summary: SessionSummary) => {
    const unread = summary.unread > 0 ? `; ${summary.unread} bytes unread` : '';
    return `${summary.session}: ${situation(summary)}; idle ${seconds(summary.idleMs)}${unread}`;
  };
  return summaries.map(line).join('\n');
};

export const closedText = (closed: readonly string[], { survivors }: CloseResult): string => {
  const names = closed.join(', ');
  const still = survivors.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ');
  const parts = [
    ...(names === '' ? [] : [`closed: ${names}`]),
    ...(still === '' ? [] : [`still running: ${still}; force ends that too`]),
  ];
  return `[${parts.join('; ') || 'there was nothing to close'}]`;
};

const lines = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n');

export const standing = (result: SessionResult): string => {
  const late = result.timedOut ? ` after ${seconds(result.elapsedMs)}, time is up` : '';
  return `${situation(result, late)}${screenPlace(result)}${leftOut(result)}`;
};

const situation = (now: SessionState, late = ''): string => {
  const parts = [whoseTurn(now) + late];
  if (now.listening) parts.push(`listening on port ${now.listening.join(', ')}`);
  if (now.keyboard) parts.push(`${now.keyboard} has the keyboard`);
  return parts.join('; ');
};

const whoseTurn = (now: SessionState): string => {
  if (now.state === 'exited') return ending(now);
  const who = now.foreground && now.foreground !== now.session ? `${now.foreground} ` : '';
  if (now.state === 'working') return `${who}${who ? 'is ' : ''}still working`;
  const what = `waiting for a ${now.waitingFor ?? 'line'}`;
  const prompt = now.prompt ? ` at ${JSON.stringify(now.prompt)}` : '';
  return `${who}${what}${prompt}${doubt[now.certainty]}`;
};

const doubt = { certain: '', likely: ' (likely)', guess: ' (a guess: it is silent)' } as const;

const ending = ({ exitCode, signal }: SessionState): string =>
  signal === undefined ? `exit code ${exitCode ?? 'unknown'}` : `ended by ${signal}`;

const screenPlace = ({ screen }: SessionResult): string => {
  if (screen === undefined) return '';
  const { cursor, cols, rows } = screen;
  const hidden = cursor.visible ? '' : ' (hidden)';
  return `; cursor at column ${cursor.col}, row ${cursor.row}${hidden} of ${cols}x${rows}`;
};

/** The cut itself is marked in the output; this is for what a reader may skip over. */
const leftOut = ({ omitted }: SessionResult): string =>
  omitted === undefined
    ? ''
    : `; ${omitted.lines} ${omitted.lines === 1 ? 'line' : 'lines'} left out`;

const secretAdvice = (
  { session, waitingFor, secrets = [] }: SessionResult,
  personAnswers: PersonAnswers,
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
