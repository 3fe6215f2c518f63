/**
 * Reads the arguments of a tool, one parameter at a time. What is wrong with one is thrown as a fact,
 * for each dialect to say in its own words. Parameters that nobody asks for are ignored.
 */

export type Args = Readonly<Record<string, unknown>>;

/** What a parameter may be. */
export interface ParameterKind<T> {
  words: string;
  is(value: unknown): value is T;
}

export class BadArgument extends Error {
  readonly parameter: string;
  readonly expected: string;
  /** Undefined where it is missing. */
  readonly found: unknown;

  constructor(parameter: string, expected: string, found: unknown) {
    super(found === undefined ? `${parameter} is required` : `${parameter} must be ${expected}`);
    this.parameter = parameter;
    this.expected = expected;
    this.found = found;
  }
}

export const string: ParameterKind<string> = {
  words: 'a string',
  is: (it) => typeof it === 'string',
};
export const boolean: ParameterKind<boolean> = {
  words: 'a boolean',
  is: (it) => typeof it === 'boolean',
};
export const number: ParameterKind<number> = {
  words: 'a number',
  is: (it): it is number => Number.isFinite(it),
};
export const whole: ParameterKind<number> = {
  words: 'a whole number',
  is: (it): it is number => Number.isInteger(it),
};
/** A whole number that is not negative. */
export const count: ParameterKind<number> = {
  words: 'a whole number from 0',
  is: (it): it is number => Number.isInteger(it) && (it as number) >= 0,
};
export const strings: ParameterKind<Readonly<Record<string, string>>> = {
  words: 'an object of strings',
  is: (it): it is Readonly<Record<string, string>> =>
    isPlainObject(it) && Object.values(it).every(string.is),
};

export const argsOf = (args: unknown): Args => {
  const given = args ?? {};
  if (!isPlainObject(given)) throw new BadArgument('arguments', 'an object', given);
  return given;
};

export const required = <T>(args: Args, name: string, kind: ParameterKind<T>): T => {
  const value = args[name];
  if (!kind.is(value)) throw new BadArgument(name, kind.words, value);
  return value;
};

/** Null is the same as nothing. */
export const optional = <T>(args: Args, name: string, kind: ParameterKind<T>): T | undefined => {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  if (!kind.is(value)) throw new BadArgument(name, kind.words, value);
  return value;
};

export const isPlainObject = (value: unknown): value is Args =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
