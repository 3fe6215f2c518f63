/** An error as a person or a script reads it, with the next step, and its exit code. */
import type * as errors from '../../errors.ts';
import { ProgramExited, TerminalError } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXITED, FAILED, WRONG_USAGE } from '../exit-codes.ts';
import { UsageError } from '../parse-args.ts';
import { colorsFor } from './colors.ts';

export const exitCodeForError = (error: unknown, { failedCode }: Command): number => {
  if (failedCode !== undefined) return failedCode;
  if (isWrongUsage(error)) return WRONG_USAGE;
  return error instanceof ProgramExited ? EXITED : FAILED;
};

/** Of an error that there is: a code that is misspelt here is a type error. */
type Code = CodeOf<(typeof errors)[keyof typeof errors]>;
type CodeOf<Kind> = Kind extends new (...args: never) => { code: infer Code } ? Code : never;

/**
 * A value that is wrong in itself, whatever the session, though only the engine can tell: as wrong a
 * command line as one with an option that is not there.
 */
const wrongValues: ReadonlySet<string> = new Set<Code>([
  'EMPTY_SEND',
  'INVALID_PATTERN',
  'INVALID_SIZE',
  'UNKNOWN_KEY',
  'UNKNOWN_SIGNAL',
  'UNKNOWN_UNTIL',
  'UNKNOWN_VIEW',
  'UNTYPABLE_KEY',
  'UNUSABLE_ARGUMENT',
  'UNUSABLE_NAME',
  'UNUSABLE_NUMBER',
]);

const isWrongUsage = (error: unknown): boolean =>
  error instanceof UsageError || (error instanceof TerminalError && wrongValues.has(error.code));

/** With `--json`, `{error: {code, message, details}}` on standard output. */
export const printError = (error: unknown, usage: string, json: boolean): void => {
  if (json) {
    process.stdout.write(`${JSON.stringify({ error: asData(error) })}\n`);
    return;
  }
  const { red, dim } = colorsFor(process.stderr);
  console.error(`${red('repartee:')} ${messageOf(error)}`);
  const next = isWrongUsage(error) ? usage : nextStep(error);
  if (next !== undefined) console.error(dim(next));
};

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const asData = (error: unknown) => {
  if (error instanceof TerminalError) return error.toJSON();
  const code = error instanceof UsageError ? 'WRONG_USAGE' : 'FAILED';
  return { code, message: messageOf(error), details: {} };
};

/** What the message, which is written for every door, does not say of this one. */
const nextSteps: Readonly<Partial<Record<Code, string>>> = {
  SESSION_NOT_FOUND: '`repartee ls` lists sessions, `repartee open` starts one.',
  PROGRAM_EXITED: '`repartee read NAME` shows what it said last, `repartee close NAME` removes it.',
  NAME_TAKEN: '`repartee attach NAME` shows it.',
  TOO_MANY_SESSIONS: '`repartee close NAME` ends one.',
  KEYBOARD_TAKEN: '`repartee wait` and `repartee read` work meanwhile.',
  DAEMON_LOST: '`repartee ls` lists the sessions that are left.',
};

const nextStep = (error: unknown): string | undefined => {
  if (!(error instanceof TerminalError)) return undefined;
  const { session, name = session } = error.details;
  const step: string | undefined = nextSteps[error.code as Code];
  return step?.replaceAll('NAME', typeof name === 'string' ? name : 'NAME');
};
