/** The exit codes of our commands. docs/reference/cli.md lists them too. */
export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;
export const EXIT_WRONG_USAGE = 2;
export const EXIT_WAIT_TIMED_OUT = 3;
/** The program of the session has exited. */
export const EXIT_SESSION_EXITED = 4;

/** `run` uses the codes of coreutils' timeout. Any other code is the command's own. */
export const EXIT_RUN_TIMED_OUT = 124;
export const EXIT_RUN_FAILED = 125;
export const EXIT_RUN_NEEDS_INPUT = 126;
