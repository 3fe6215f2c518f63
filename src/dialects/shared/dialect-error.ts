/** A call that comes to nothing, for a reason in the dialect's own words. */
export class DialectError extends Error {}
