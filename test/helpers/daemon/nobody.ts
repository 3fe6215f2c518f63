/** The user `nobody`, for tests that run as root. */
export const NOBODY = 65534;

/** Synchronous, so that nothing else in this process runs as that user. */
export const asNobody = <T>(act: () => T): T => {
  process.seteuid!(NOBODY);
  try {
    return act();
  } finally {
    process.seteuid!(0);
  }
};
