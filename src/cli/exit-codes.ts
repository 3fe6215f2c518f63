/** What scripts are told; docs/reference/cli.md has the same in prose. */
export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const TIME_IS_UP = 3;
/** The session asked of has exited. */
export const EXITED = 4;

/** Of `run`, as coreutils' timeout has them; all else is the command's own. */
export const RUN_TIME_IS_UP = 124;
export const RUN_FAILED = 125;
export const RUN_ASKS = 126;
