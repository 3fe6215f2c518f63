/**
 * The input of a tool, made from the description of its call: the schema that a model reads, and the
 * check of what it sends. Every mistake is reported in words the model can act on.
 */
import { InvalidArguments } from '../../errors.ts';
import { nearestWord } from '../../nearest-word.ts';
import type { Field, FieldType, ObjectField } from '../../session/options/fields.ts';
import type { JsonSchema } from '../tool.ts';
import { isPlainObject } from './read-arguments.ts';

/** The fields of a tool; `Value` is the type of what it takes, under the names of the call. */
export interface ToolInput<Value> {
  readonly fields: readonly ToolField[];
  /** Never set: only the compiler looks at it. */
  readonly value?: Value;
}

interface ToolField {
  /** In the call: `timeoutMs`. */
  name: string;
  /** In the tool: `timeout_ms`. */
  toolName: string;
  isRequired: boolean;
  field: Field<unknown>;
}

/** Only the fields that a model is told of. */
export const toolInput = <Value>({ required, optional }: ObjectField<Value>): ToolInput<Value> => {
  const told = Object.entries(optional).filter(([, { tool }]) => tool !== undefined);
  const fields = [
    ...Object.entries(required).map(([name, field]) => ({ name, field, isRequired: true })),
    ...told.map(([name, field]) => ({ name, field, isRequired: false })),
  ];
  return { fields: fields.map((entry) => ({ ...entry, toolName: toSnakeCase(entry.name) })) };
};

const toSnakeCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The schema that clients see. Bounds are left to `checkArguments`: they would cost many tokens. */
export const advertisedSchema = ({ fields }: ToolInput<unknown>): JsonSchema => {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ toolName }) => toolName);
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ toolName, field }) => [toolName, fieldSchema(field)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
};

const fieldSchema = ({ type, words, tool }: Field<unknown>): JsonSchema => ({
  ...toolType(type).schema,
  ...(words && { enum: words }),
  ...(tool && { description: tool }),
});

/**
 * Returns the arguments under the names of the call. Throws `InvalidArguments`. A field that is null
 * counts as missing.
 */
export const checkArguments = <Value>(
  tool: string,
  { fields }: ToolInput<Value>,
  args: unknown,
): Value => {
  const object = args ?? {};
  if (!isPlainObject(object))
    throw new InvalidArguments(tool, [mustBe('the arguments', 'an object', object)]);
  const given = new Map(Object.entries(object).filter(([, value]) => (value ?? null) !== null));
  const checked: Record<string, unknown> = {};
  const mistakes: string[] = [];
  for (const { name, toolName, isRequired, field } of fields) {
    if (given.has(toolName)) {
      checked[name] = given.get(toolName);
      mistakes.push(...findMistakes(toolName, checked[name], field));
    } else if (isRequired)
      mistakes.push(`${toolName} is missing: give ${toolType(field.type).name}`);
    given.delete(toolName);
  }
  const unknown = describeUnknownFields([...given.keys()], fields);
  if (mistakes.length + unknown.length > 0)
    throw new InvalidArguments(tool, [...mistakes, ...unknown]);
  return checked as Value;
};

const findMistakes = (
  field: string,
  value: unknown,
  { type, words, minimum, maximum }: Field<unknown>,
): string[] => {
  if (words !== undefined && !words.includes(value as string))
    return [mustBe(field, `one of ${words.join(', ')}`, value)];
  const { name, is } = toolType(type);
  if (!is(value)) return [mustBe(field, name, value)];
  if (typeof value === 'object')
    return Object.entries(value as object)
      .filter(([, part]) => !isString(part))
      .map(([key, part]) => mustBe(`${field}.${key}`, 'a string', part));
  if (minimum !== undefined && (value as number) < minimum)
    return [mustBe(field, `at least ${minimum}`, value)];
  if (maximum !== undefined && (value as number) > maximum)
    return [mustBe(field, `at most ${maximum}`, value)];
  return [];
};

const isString = (value: unknown) => typeof value === 'string';

interface ToolType {
  /** As in "cols must be a whole number". */
  name: string;
  schema: JsonSchema;
  is: (value: unknown) => boolean;
}

/** No tool takes bytes, or an object with fields of its own. */
type ToolFieldType = Exclude<FieldType, 'bytes' | 'numbers' | 'object'>;

const toolType = (type: FieldType): ToolType => toolTypes[type as ToolFieldType];

const toolTypes: Readonly<Record<ToolFieldType, ToolType>> = {
  string: { name: 'a string', schema: { type: 'string' }, is: isString },
  number: { name: 'a number', schema: { type: 'number' }, is: Number.isFinite },
  integer: { name: 'a whole number', schema: { type: 'integer' }, is: Number.isInteger },
  boolean: {
    name: 'true or false',
    schema: { type: 'boolean' },
    is: (value) => typeof value === 'boolean',
  },
  strings: {
    name: 'a list',
    schema: { type: 'array', items: { type: 'string' } },
    is: Array.isArray,
  },
  variables: {
    name: 'an object',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    is: isPlainObject,
  },
};

const mustBe = (field: string, expected: string, value: unknown): string =>
  `${field} must be ${expected}, not ${describeValue(value)}`;

const describeUnknownFields = (
  names: readonly string[],
  fields: readonly ToolField[],
): readonly string[] => {
  if (names.length === 0) return [];
  const known = fields.map(({ toolName }) => toolName);
  return [
    ...names.map((name) => describeUnknownField(name, known)),
    known.length === 0 ? 'it takes no arguments' : `its fields are ${known.join(', ')}`,
  ];
};

const describeUnknownField = (name: string, known: readonly string[]): string => {
  // No field name is this long, and comparing megabytes takes too long.
  if (name.length > MAX_SHOWN_CHARACTERS) return `there is no ${quote(name)}`;
  // "timeout" is far from "timeout_ms" by letters, but clearly a mistake for it.
  const suggestion = nearestWord(name, known) ?? known.find((each) => each.startsWith(`${name}_`));
  return `there is no ${quote(name)}${suggestion ? `, did you mean ${suggestion}?` : ''}`;
};

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
