/**
 * Checks the parameters of requests against their description.
 *
 * Only the types of values are checked here: an object instead of a string can make the daemon
 * allocate gigabytes (Buffer.from takes `{"length": 1e9}` for an array). The engine checks whether a
 * number, a name or a word makes sense, and has its own errors for that. Unknown fields are ignored.
 */
import type { Field, FieldType, ObjectField } from '../../session/options/fields.ts';
import type { DaemonMethod } from './protocol.ts';
import { requestParams } from './request-params.ts';

export const isDaemonMethod = (method: string): method is DaemonMethod =>
  Object.hasOwn(requestParams, method);

/** Returns what is wrong with the parameters, or undefined if they are valid. */
export const findParamsProblem = (method: DaemonMethod, params: unknown): string | undefined =>
  findMismatch(method, params, requestParams[method]);

/** Says what is wrong with a value that is called `name`. */
export const findMismatch = (
  name: string,
  value: unknown,
  field: Field<unknown>,
): string | undefined => {
  const { description, is } = types[field.type];
  if (!is(value)) return `${name} is not ${description}`;
  return isObjectField(field) ? findMismatchInside(name, value as JsonObject, field) : undefined;
};

const findMismatchInside = (
  name: string,
  value: JsonObject,
  { required, optional }: ObjectField<unknown>,
): string | undefined => {
  for (const key in required) {
    const mismatch = findMismatch(`${name}.${key}`, ownValue(value, key), required[key]!);
    if (mismatch !== undefined) return mismatch;
  }
  for (const key in optional) {
    if (!Object.hasOwn(value, key)) continue;
    const mismatch = findMismatch(`${name}.${key}`, value[key], optional[key]!);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
};

type JsonObject = Readonly<Record<string, unknown>>;

/** Not `toString` and the like, which every object inherits. */
const ownValue = (value: JsonObject, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

const isObjectField = (field: Field<unknown>): field is ObjectField<unknown> =>
  field.type === 'object';

const isString = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const types: Readonly<Record<FieldType, { description: string; is: (value: unknown) => boolean }>> =
  {
    string: { description: 'a string', is: isString },
    number: { description: 'a number', is: isNumber },
    integer: { description: 'a number', is: isNumber },
    boolean: { description: 'a boolean', is: (value) => typeof value === 'boolean' },
    strings: {
      description: 'a list of strings',
      is: (value) => Array.isArray(value) && value.every(isString),
    },
    numbers: {
      description: 'a list of numbers',
      is: (value) => Array.isArray(value) && value.every(Number.isFinite),
    },
    variables: {
      description: 'an object of strings',
      is: (value) => isObject(value) && Object.values(value).every(isString),
    },
    // As base64 from a client that speaks protocol 1.
    bytes: { description: 'bytes', is: (value) => value instanceof Uint8Array || isString(value) },
    object: { description: 'an object', is: isObject },
  };
