/** stdout carries the protocol alone, so whatever else is to be said goes to stderr. */
export const log = (...words: unknown[]): void => console.error('repartee mcp:', ...words);
