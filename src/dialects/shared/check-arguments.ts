/**
 * Checks the arguments a model sends against a tool's fields. Every mistake is reported in words the
 * model can act on.
 */
import { z } from 'zod';
import { InvalidArguments } from '../../errors.ts';
import { nearestWord } from '../../nearest-word.ts';
import type { JsonSchema } from '../tool.ts';
import { isPlainObject } from './read-arguments.ts';

/** Throws `InvalidArguments`. A field that is null counts as missing. */
export const checkArguments = <Fields extends z.ZodObject>(
  tool: string,
  fields: Fields,
  args: unknown,
): z.output<Fields> => {
  const input = withoutNulls(args ?? {});
  const { success, data, error } = fields.safeParse(input);
  if (success) return data;
  const fieldNames = Object.keys(fields.shape);
  throw new InvalidArguments(
    tool,
    error.issues.flatMap((issue) => describeIssue(issue, input, fieldNames)),
  );
};

/** The schema that clients see. Bounds are left to `checkArguments`: they would cost many tokens. */
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
    ? Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
    : args;

const describeIssue = (
  issue: z.core.$ZodIssue,
  input: unknown,
  fieldNames: readonly string[],
): string[] => {
  const field = issue.path.join('.') || 'the arguments';
  const value = valueAt(input, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return [
        ...issue.keys.map((key) => describeUnknownField(key, fieldNames)),
        fieldNames.length === 0
          ? 'it takes no arguments'
          : `its fields are ${fieldNames.join(', ')}`,
      ];
    case 'invalid_type':
      return [
        value === undefined
          ? `${field} is missing: give ${typeNames[issue.expected] ?? issue.expected}`
          : `${field} must be ${typeNames[issue.expected] ?? issue.expected}, not ${describeValue(value)}`,
      ];
    case 'invalid_value':
      return [`${field} must be one of ${issue.values.join(', ')}, not ${describeValue(value)}`];
    case 'too_small':
      return [`${field} must be at least ${issue.minimum}, not ${describeValue(value)}`];
    case 'too_big':
      return [`${field} must be at most ${issue.maximum}, not ${describeValue(value)}`];
    default:
      return [`${field}: ${issue.message}`];
  }
};

const describeUnknownField = (key: string, fieldNames: readonly string[]): string => {
  // No field name is this long, and comparing megabytes takes too long.
  if (key.length > MAX_SHOWN_CHARACTERS) return `there is no ${quote(key)}`;
  // "timeout" is far from "timeout_ms" by letters, but clearly a mistake for it.
  const suggestion =
    nearestWord(key, fieldNames) ?? fieldNames.find((name) => name.startsWith(`${key}_`));
  return `there is no ${quote(key)}${suggestion ? `, did you mean ${suggestion}?` : ''}`;
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      inner === null || typeof inner !== 'object' ? undefined : Reflect.get(inner, key),
    value,
  );

/** A value can be megabytes long. This much is enough to recognize it. */
const MAX_SHOWN_CHARACTERS = 40;

const describeValue = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `the string ${quote(value)}` : String(value);
};

const quote = (text: string): string =>
  JSON.stringify(
    text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text,
  );
