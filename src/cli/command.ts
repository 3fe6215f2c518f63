/** A command of the command line, as data: `main.ts` finds it, prints its usage and runs it. */
export interface CliCommand {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The arguments, as in `Usage: repartee NAME …`. */
  usage: string;
  /** What each option does, for `--help`. */
  options?: Readonly<Record<string, string>>;
  /** More lines for `--help`, for example the exit codes. */
  notes?: readonly string[];
  examples?: readonly (readonly [line: string, description: string])[];
  /** The exit code for our own failures, for a command that exits with a program's code. */
  failureCode?: number;
  /** The arguments that are ours and not the program's. @default all before `--` */
  ownArgs?(args: readonly string[]): readonly string[];
  /** Returns the exit code; undefined means 0. */
  run(args: readonly string[]): Promise<number | undefined>;
}

/** For every command that prints a result. */
export const jsonOptionHelp = { '--json': 'print one JSON object' } as const;
