/** A call that failed. The message is in the dialect's own words and goes to the agent. */
export class DialectError extends Error {}
