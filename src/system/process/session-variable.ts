/** The environment variable by which we recognise every process that a session has started. */
export const SESSION_VARIABLE = 'REPARTEE_SESSION';
