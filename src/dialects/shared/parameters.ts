/**
 * Reads the arguments of a tool, one parameter at a time. A wrong one is thrown as `BadArgument`, so
 * that each dialect can report it in its own words. Unknown parameters are ignored.
 */

export type Args = Readonly<Record<string, unknown>>;

/** The type of a parameter. */
export interface ParameterType<T> {
  description: string;
  is(value: unknown): value is T;
}

export class BadArgument extends Error {
  readonly parameter: string;
  readonly expected: string;
  /** Undefined if the parameter is missing. */
  readonly found: unknown;

  constructor(parameter: string, expected: string, found: unknown) {
    super(found === undefined ? `${parameter} is required` : `${parameter} must be ${expected}`);
    this.parameter = parameter;
    this.expected = expected;
    this.found = found;
  }
}

export const string: ParameterType<string> = {
  description: 'a string',
  is: (value) => typeof value === 'string',
};
export const boolean: ParameterType<boolean> = {
  description: 'a boolean',
  is: (value) => typeof value === 'boolean',
};
export const number: ParameterType<number> = {
  description: 'a number',
  is: (value): value is number => Number.isFinite(value),
};
export const integer: ParameterType<number> = {
  description: 'a whole number',
  is: (value): value is number => Number.isInteger(value),
};
export const nonNegativeInteger: ParameterType<number> = {
  description: 'a whole number from 0',
  is: (value): value is number => Number.isInteger(value) && (value as number) >= 0,
};
export const stringMap: ParameterType<Readonly<Record<string, string>>> = {
  description: 'an object of strings',
  is: (value): value is Readonly<Record<string, string>> =>
    isPlainObject(value) && Object.values(value).every(string.is),
};

export const toArgs = (args: unknown): Args => {
  const value = args ?? {};
  if (!isPlainObject(value)) throw new BadArgument('arguments', 'an object', value);
  return value;
};

export const required = <T>(args: Args, name: string, type: ParameterType<T>): T => {
  const value = args[name];
  if (!type.is(value)) throw new BadArgument(name, type.description, value);
  return value;
};

/** Null counts as absent. */
export const optional = <T>(args: Args, name: string, type: ParameterType<T>): T | undefined => {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  if (!type.is(value)) throw new BadArgument(name, type.description, value);
  return value;
};

export const isPlainObject = (value: unknown): value is Args =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
