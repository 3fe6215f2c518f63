/** A command of the command line, as data: its usage, help, parsing and completion come from this table. */
import { type ParsedCommandLine, parseCommandLine } from './parse-args.ts';

/** What a shell completes. */
interface Completion {
  /** No other word is accepted. */
  choices?: readonly string[];
  paths?: 'files' | 'folders';
  /** The names of the sessions. */
  sessions?: true;
  /** The names of the sessions that have recordings. */
  recordings?: true;
}

/** A word that is no option. */
export interface CliWord extends Completion {
  /** As in `Usage: repartee NAME …`. @default its choices */
  usage?: string;
  /** What a person wrote, so it may begin with a dash. */
  isText?: true;
  group?: string;
}

export interface CliOption extends Completion {
  description: string;
  /** The name of its value in the usage. Without it, the option takes no value. */
  value?: string;
  parse?(flag: string, text: string): unknown;
  /** What counts if the option is not given. The help shows it. */
  default?: string;
  /** All values count, not only the last one. */
  multiple?: true;
  /** Only one option of a group can be given. The usage shows them as alternatives. */
  group?: string;
  /** Only for our completion scripts. */
  hidden?: true;
}

export type CliOptions = Readonly<Record<string, CliOption>>;

/** The words of another program, which come last. */
export interface ProgramWords {
  usage: string;
  /** `--` begins them, or the first word does as well. */
  begin: 'after --' | 'at the first word';
}

export interface CliTable<Options extends CliOptions = CliOptions> {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  words?: readonly CliWord[];
  options: Options;
  program?: ProgramWords;
  /** More lines for `--help`, for example the exit codes. */
  notes?: readonly string[];
  examples?: readonly (readonly [line: string, description: string])[];
  /** The exit code for our own failures, for a command that exits with a program's code. */
  failureCode?: number;
}

export interface CliCommand extends CliTable {
  /** Returns the exit code; undefined means 0. */
  run(args: readonly string[]): Promise<number | undefined>;
}

/** A command whose `run` gets the values that its table describes. */
export const defineCommand = <const Options extends CliOptions>({
  run,
  ...table
}: CliTable<Options> & {
  run(parsed: ParsedCommandLine<Options>): Promise<number | undefined>;
}): CliCommand => ({
  ...table,
  run: async (args) => run(parseCommandLine(table, args)),
});

/** For every command that prints a result. */
export const jsonOption = { json: { description: 'print one JSON object' } } as const;
