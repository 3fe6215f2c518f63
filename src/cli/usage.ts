import { parseArgs } from 'node:util';

/** The command line itself is wrong: its usage is printed, and the exit code is 2. */
export class UsageError extends Error {}

/** node:util's `parseArgs`, which calls a wrong word a TypeError. */
export const parse: typeof parseArgs = (config) => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
};
