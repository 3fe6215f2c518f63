/**
 * What a model gave a tool, checked against the tool's fields, with every mistake said in words that
 * the model can act on.
 */
import { z } from 'zod';
import { InvalidArguments } from '../../errors.ts';
import { nearest } from '../../keys/nearest.ts';
import type { JsonSchema } from '../tool.ts';
import { isPlainObject } from './parameters.ts';

/** Throws `InvalidArguments`. A field that is null is one that was not given. */
export const checkArguments = <Fields extends z.ZodObject>(
  tool: string,
  fields: Fields,
  args: unknown,
): z.output<Fields> => {
  const given = withoutNulls(args ?? {});
  const { success, data, error } = fields.safeParse(given);
  if (success) return data;
  const known = Object.keys(fields.shape);
  throw new InvalidArguments(
    tool,
    error.issues.flatMap((issue) => problems(issue, given, known)),
  );
};

/** The fields as they are advertised. Bounds are left to `checked`: they would cost many tokens. */
export const advertisedSchema = (fields: z.ZodObject): JsonSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(fields, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
      delete jsonSchema.propertyNames;
    },
  });
  return schema;
};

const withoutNulls = (args: unknown): unknown =>
  isPlainObject(args)
    ? Object.fromEntries(Object.entries(args).filter(([, it]) => it !== null))
    : args;

const problems = (issue: z.core.$ZodIssue, given: unknown, known: readonly string[]): string[] => {
  const field = issue.path.join('.') || 'the arguments';
  const value = at(given, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return [
        ...issue.keys.map((key) => unknown(key, known)),
        known.length === 0 ? 'it takes no arguments' : `its fields are ${known.join(', ')}`,
      ];
    case 'invalid_type':
      return [
        value === undefined
          ? `${field} is missing: give ${kinds[issue.expected] ?? issue.expected}`
          : `${field} must be ${kinds[issue.expected] ?? issue.expected}, not ${shown(value)}`,
      ];
    case 'invalid_value':
      return [`${field} must be one of ${issue.values.join(', ')}, not ${shown(value)}`];
    case 'too_small':
      return [`${field} must be at least ${issue.minimum}, not ${shown(value)}`];
    case 'too_big':
      return [`${field} must be at most ${issue.maximum}, not ${shown(value)}`];
    default:
      return [`${field}: ${issue.message}`];
  }
};

const unknown = (key: string, known: readonly string[]): string => {
  // No field has so long a name, and to compare megabytes takes for ever.
  if (key.length > SHOWN_CHARACTERS) return `there is no ${quoted(key)}`;
  // "timeout" is far from "timeout_ms" by letters, and clearly meant.
  const meant = nearest(key, known) ?? known.find((name) => name.startsWith(`${key}_`));
  return `there is no ${quoted(key)}${meant ? `, did you mean ${meant}?` : ''}`;
};

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      inner === null || typeof inner !== 'object' ? undefined : Reflect.get(inner, key),
    value,
  );

/** A value can be megabytes long: enough of it to be known again. */
const SHOWN_CHARACTERS = 40;

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `the string ${quoted(value)}` : String(value);
};

const quoted = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
