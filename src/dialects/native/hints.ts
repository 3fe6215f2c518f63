/**
 * What to do next, and what no other part of a result says. Some clients show the model the text alone,
 * others the structured result alone, so every hint is in both.
 */
import type { RunResult, SessionResult, SessionState } from '../../session/sessions.ts';
import type { CloseResult } from '../../system/terminal/terminal.ts';
import type { ToolResult } from '../tool.ts';

/**
 * Returns advice on how a person can type a secret into a session. Only the MCP server, or the program
 * that uses the library, knows this.
 */
export type MakeSecretAdvice = (session: string) => string;

/** Hints are sentences. In the structured result they come first, where nothing cuts them off. */
export const withHints = (
  { text, structured, ...rest }: ToolResult,
  hints: readonly string[],
): ToolResult => {
  const hint = hints.filter((each) => each !== '').join(' ');
  if (hint === '' || structured === undefined)
    return { text: joinLines(text, hint), ...(structured && { structured }), ...rest };
  const { hint: earlier, ...fields } = structured;
  const all = earlier === undefined ? hint : `${earlier} ${hint}`;
  return { text: joinLines(text, hint), structured: { hint: all, ...fields }, ...rest };
};

const joinLines = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n');

/** The hints on a session's result, in the order in which they matter. */
export const resultHints = (result: SessionResult, personAnswers: MakeSecretAdvice): string[] => [
  workingHint(result),
  secretHint(result, personAnswers),
];

export const runHints = (result: RunResult, personAnswers: MakeSecretAdvice): string[] => {
  if (result.endMark === 'lost') return [LOST_HINT];
  const hasEnded = result.exitCode !== undefined || result.signal !== undefined;
  return hasEnded ? [] : resultHints(result, personAnswers);
};

export const closeHints = (
  closed: readonly string[],
  { survivors }: Pick<CloseResult, 'survivors'>,
): string[] => {
  if (survivors.length > 0) return ['"force":true ends what is still running, too.'];
  return closed.length === 0 ? ['There was nothing to close.'] : [];
};

/** `others`: how many sessions of other clients there are that the list does not have. */
export const listHints = (listed: readonly SessionState[], others: number): string[] => [
  listed.length === 0 ? 'terminal_open starts one.' : '',
  others === 0 ? '' : `{"all":true} also lists ${others} of other clients.`,
];

/** Why an exit code is not known. The next commands get typed marks. */
export const LOST_MARK = 'the command has removed what marks its end in this shell';
const LOST_HINT = `The exit code is unknown: ${LOST_MARK}. terminal_run works on.`;

/** Without it a search without results looks like one that was not made. */
export const noMatchHint = ({ output }: SessionResult, search: string | undefined): string =>
  search === undefined || output !== '' ? '' : `Nothing matches ${JSON.stringify(search)}.`;

export const NO_PICTURE_HINT = 'This screen is too large for a picture; terminal_resize first.';

const workingHint = ({ session, state, timedOut }: SessionResult): string =>
  state === 'working' && timedOut
    ? `It runs on: terminal_wait {"sessions":["${session}"]}, or terminal_send with keys "C-c" to interrupt it.`
    : '';

const secretHint = (
  { session, waitingFor, secrets = [] }: SessionResult,
  personAnswers: MakeSecretAdvice,
): string => {
  if (waitingFor !== 'secret') return '';
  const call = JSON.stringify({ session, secret: secrets[0] ?? 'NAME' });
  const stored =
    secrets.length > 0
      ? `Stored secrets: ${secrets.join(', ')}; terminal_send ${call} types one unseen.`
      : 'No stored secret fits.';
  return `It asks for a secret. Do not ask for it in the chat and do not type it as text. ${stored} ${personAnswers(session)}`;
};
