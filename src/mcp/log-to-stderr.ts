/** Logs to stderr, because stdout carries only the protocol. */
export const logToStderr = (...words: unknown[]): void => console.error('repartee mcp:', ...words);
