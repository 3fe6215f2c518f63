/**
 * Prints results: the output to standard output, and to standard error one line that says whose turn
 * it is. So a script gets exactly the program's output, and a person or an agent also gets the verdict.
 */

import { toJsonResult } from '../../dialects/native/results.ts';
import { describeSessionState, noMatchText, noticeText } from '../../dialects/native/text.ts';
import type { Until } from '../../session/options/options.ts';
import type { SessionResult } from '../../session/sessions.ts';
import { EXIT_DONE, EXIT_SESSION_EXITED, EXIT_WAIT_TIMED_OUT } from '../exit-codes.ts';
import { ownCommand } from '../own-command.ts';
import { textColorsFor } from './colors.ts';

export interface PrintResultOptions {
  json: boolean;
  /** What the command waited for. If it is the exit, an exited program means success. */
  until?: Until;
  /** The pattern of a search. */
  search?: string | undefined;
}

/** For output that goes to a pipe: there is no model to count tokens for, so all of it is printed. */
export const UNLIMITED_TOKENS = 100_000_000;

/** Prints a result, and returns the exit code for it. */
export const printResult = (
  result: SessionResult,
  { json, until, search }: PrintResultOptions,
): number => {
  if (json) printJson(toJsonResult(result));
  else {
    printText(result.output);
    const noMatch = noMatchText(result, search);
    if (noMatch !== '') printRemark(noMatch);
    printRemark(`[${result.session}: ${describeSessionState(result)}]`);
    if (result.notice !== undefined) printRemark(noticeText(result));
    if (result.waitingFor === 'secret') printRemark(secretAdvice(result));
  }
  return exitCodeOf(result, until);
};

const exitCodeOf = ({ timedOut, state }: SessionResult, until?: Until): number => {
  if (timedOut) return EXIT_WAIT_TIMED_OUT;
  return state === 'exited' && until !== 'exit' ? EXIT_SESSION_EXITED : EXIT_DONE;
};

export const printJson = (value: unknown): void => printText(JSON.stringify(value));

/** Prints text with a newline at the end, and nothing if it is empty. */
export const printText = (text: string): void => {
  if (text !== '') process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
};

/** Prints to standard error what is not part of the result. */
export const printRemark = (text: string): void => {
  process.stderr.write(`${textColorsFor(process.stderr).dim(text)}\n`);
};

const secretAdvice = ({ session, secrets = [] }: SessionResult): string => {
  const command = ownCommand();
  const stored =
    secrets.length > 0
      ? `Stored secrets: ${secrets.join(', ')}; \`${command} send ${session} --secret ${secrets[0]}\` types one unseen.`
      : `A value in REPARTEE_SECRET_NAME is typed unseen by \`${command} send ${session} --secret name\`.`;
  return `It asks for a secret: do not give it as text. ${stored} A person can type it: \`${command} attach ${session}\`.`;
};
