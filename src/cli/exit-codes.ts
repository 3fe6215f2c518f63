/** The exit codes of our commands. docs/reference/cli.md lists them too. */
export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const TIMED_OUT = 3;
/** The program of the session has exited. */
export const EXITED = 4;

/** `run` uses the codes of coreutils' timeout. Any other code is the command's own. */
export const RUN_TIMED_OUT = 124;
export const RUN_FAILED = 125;
export const RUN_NEEDS_INPUT = 126;
