/** A command of the command line, as data: `main.ts` finds it, prints its usage, runs it. */
export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** What may follow the name. */
  usage: string;
  /** What each option does, for `--help`. */
  options?: Readonly<Record<string, string>>;
  /** What to say besides, for `--help`. */
  notes?: readonly string[];
  /** Each with what it does. */
  examples?: readonly (readonly [line: string, does: string])[];
  /** The exit code where we ourselves fail; for a command whose exit code is a program's. */
  failedCode?: number;
  /** Those of the words that are for us. @default all before `--` */
  own?(args: readonly string[]): readonly string[];
  /** Returns the exit code; nothing is 0. */
  run(args: readonly string[]): Promise<number | undefined>;
}

/** For every command that prints a result. */
export const jsonOption = { '--json': 'print one JSON object' } as const;
