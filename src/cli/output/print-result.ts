/**
 * Results on standard output, and on standard error one line that says whose turn it is: so a script
 * gets exactly what the program said, and a person, or an agent that sees both, gets the verdict.
 */

import { resultOnWire } from '../../dialects/native/results.ts';
import { nothingFound, standing } from '../../dialects/native/text.ts';
import type { Until } from '../../session/options/options.ts';
import type { SessionResult } from '../../session/sessions.ts';
import { DONE, EXITED, TIME_IS_UP } from '../exit-codes.ts';
import { colorsFor } from './colors.ts';

export interface PrintOptions {
  json: boolean;
  /** Whoever waited for the exit has got what was wanted. */
  until?: Until;
  /** Of a search, what was looked for. */
  search?: string | undefined;
}

/** Whoever reads the output of a program from a pipe counts no tokens: all that is kept of it. */
export const UNLIMITED_TOKENS = 100_000_000;

/** Prints a result, and returns the exit code for it. */
export const printResult = (
  result: SessionResult,
  { json, until, search }: PrintOptions,
): number => {
  if (json) printJson(resultOnWire(result));
  else {
    print(result.output);
    const nothing = nothingFound(result, search);
    if (nothing !== '') printRemark(nothing);
    printRemark(`[${result.session}: ${standing(result)}]`);
    if (result.waitingFor === 'secret') printRemark(secretAdvice(result));
  }
  return exitCodeOf(result, until);
};

const exitCodeOf = ({ timedOut, state }: SessionResult, until?: Until): number => {
  if (timedOut) return TIME_IS_UP;
  return state === 'exited' && until !== 'exit' ? EXITED : DONE;
};

export const printJson = (value: unknown): void => print(JSON.stringify(value));

/** Text on lines of its own; nothing where there is nothing to say. */
export const print = (text: string): void => {
  if (text !== '') process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
};

/** For whoever looks on: not part of what was asked for. */
export const printRemark = (text: string): void => {
  process.stderr.write(`${colorsFor(process.stderr).dim(text)}\n`);
};

const secretAdvice = ({ session, secrets = [] }: SessionResult): string => {
  const stored =
    secrets.length > 0
      ? `Stored secrets: ${secrets.join(', ')}; \`repartee send ${session} --secret ${secrets[0]}\` types one unseen.`
      : `A value in REPARTEE_SECRET_NAME is typed unseen by \`repartee send ${session} --secret name\`.`;
  return `It asks for a secret: do not give it as text. ${stored} A person can type it: \`repartee attach ${session}\`.`;
};
