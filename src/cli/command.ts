/** A command of the command line, as data: `main.ts` finds it, prints its usage, runs it. */
export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** What may follow the name. */
  usage: string;
  /** Returns the exit code; nothing is 0. */
  run(args: readonly string[]): Promise<number | undefined>;
}
