/** Prints an error with the next step, as text or as JSON, and picks its exit code. */
import type * as errors from '../../errors.ts';
import { ProgramExited, TerminalError } from '../../errors.ts';
import type { CliCommand } from '../command.ts';
import { EXIT_FAILED, EXIT_SESSION_EXITED, EXIT_WRONG_USAGE } from '../exit-codes.ts';
import { UsageError } from '../parse-args.ts';
import { textColorsFor } from './colors.ts';

export const exitCodeForError = (error: unknown, { failureCode }: CliCommand): number => {
  if (failureCode !== undefined) return failureCode;
  if (isWrongUsage(error)) return EXIT_WRONG_USAGE;
  return error instanceof ProgramExited ? EXIT_SESSION_EXITED : EXIT_FAILED;
};

/** The codes of our errors, so that the compiler finds a misspelt one. */
type Code = CodeOf<(typeof errors)[keyof typeof errors]>;
type CodeOf<ErrorClass> = ErrorClass extends new (
  ...args: never
) => { code: infer Code }
  ? Code
  : never;

/**
 * Values that are wrong for every session. Only the engine finds out, but the mistake is in the
 * command line, as with an unknown option.
 */
const wrongValueCodes: ReadonlySet<string> = new Set<Code>([
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
  error instanceof UsageError ||
  (error instanceof TerminalError && wrongValueCodes.has(error.code));

/** With `--json`, `{error: {code, message, details}}` on standard output. */
export const printError = (error: unknown, usage: string, json: boolean): void => {
  if (json) {
    process.stdout.write(`${JSON.stringify({ error: errorOnWire(error) })}\n`);
    return;
  }
  const { red, dim } = textColorsFor(process.stderr);
  console.error(`${red('repartee:')} ${withoutControls(messageOf(error))}`);
  const next = isWrongUsage(error) ? usage : nextStep(error);
  if (next !== undefined) console.error(dim(withoutControls(next)));
};

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What the caller gave may be in it: a name with an escape sequence must not reach the terminal. */
const withoutControls = (text: string): string =>
  text.replace(
    /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

const errorOnWire = (error: unknown) => {
  if (error instanceof TerminalError) return error.toJSON();
  const code = error instanceof UsageError ? 'WRONG_USAGE' : 'FAILED';
  return { code, message: messageOf(error), details: {} };
};

/** What to do next on the command line. The messages do not say it: MCP and the library use them too. */
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
