/**
 * Reads the arguments of a tool, one parameter at a time. A wrong one is thrown as `BadArgumentError`, so
 * that each dialect can report it in its own words. Unknown parameters are ignored.
 */

export type ToolArguments = Readonly<Record<string, unknown>>;

/** The type of a parameter. */
export interface ArgumentType<T> {
  description: string;
  is(value: unknown): value is T;
}

export class BadArgumentError extends Error {
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

export const stringArgumentType: ArgumentType<string> = {
  description: 'a string',
  is: (value) => typeof value === 'string',
};
export const booleanArgumentType: ArgumentType<boolean> = {
  description: 'a boolean',
  is: (value) => typeof value === 'boolean',
};
export const numberArgumentType: ArgumentType<number> = {
  description: 'a number',
  is: (value): value is number => Number.isFinite(value),
};
export const integerArgumentType: ArgumentType<number> = {
  description: 'a whole number',
  is: (value): value is number => Number.isInteger(value),
};
export const nonNegativeIntegerArgumentType: ArgumentType<number> = {
  description: 'a whole number from 0',
  is: (value): value is number => Number.isInteger(value) && (value as number) >= 0,
};
export const stringMapArgumentType: ArgumentType<Readonly<Record<string, string>>> = {
  description: 'an object of strings',
  is: (value): value is Readonly<Record<string, string>> =>
    isPlainObject(value) && Object.values(value).every(stringArgumentType.is),
};

export const toToolArguments = (args: unknown): ToolArguments => {
  const value = args ?? {};
  if (!isPlainObject(value)) throw new BadArgumentError('arguments', 'an object', value);
  return value;
};

export const readRequiredArgument = <T>(
  args: ToolArguments,
  name: string,
  type: ArgumentType<T>,
): T => {
  const value = args[name];
  if (!type.is(value)) throw new BadArgumentError(name, type.description, value);
  return value;
};

/** Null counts as absent. */
export const readOptionalArgument = <T>(
  args: ToolArguments,
  name: string,
  type: ArgumentType<T>,
): T | undefined => {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  if (!type.is(value)) throw new BadArgumentError(name, type.description, value);
  return value;
};

export const isPlainObject = (value: unknown): value is ToolArguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
