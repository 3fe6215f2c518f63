/**
 * The input of a tool, made from the description of its call: the schema that a model reads, and the
 * check of what it sends. Every mistake is reported in words the model can act on.
 */
import { InvalidArguments } from '../../errors.ts';
import { nearestWord } from '../../nearest-word.ts';
import {
  closeFields,
  openFields,
  readFields,
  runFields,
  sendFields,
  waitFields,
} from '../../session/options/calls.ts';
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

export interface CheckedArguments<Value> {
  value: Value;
  /** Fields that are none of ours, and were not meant to be. */
  ignored: readonly string[];
}

/**
 * Returns the arguments under the names of the call. Throws `InvalidArguments`. A field that is null
 * counts as missing.
 *
 * A field that nobody can have meant for us is ignored: clients add their own to every tool (Gemini CLI
 * sends `wait_for_previous`). One that is nearly ours is a mistake, and what it asked for was not done.
 */
export const checkArguments = <Value>(
  tool: string,
  { fields }: ToolInput<Value>,
  args: unknown,
): CheckedArguments<Value> => {
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
  const known = fields.map(({ toolName }) => toolName);
  const unknown = [...given.keys()];
  const misspelt = unknown.filter(
    (name) => meantField(name, known) !== undefined || fieldsOfCalls.has(name),
  );
  const isWrong = mistakes.length + misspelt.length > 0;
  // With another mistake beside it, an unknown field may be what was meant instead.
  if (isWrong)
    throw new InvalidArguments(tool, [...mistakes, ...describeUnknownFields(unknown, known)]);
  return { value: checked as Value, ignored: unknown.map(shorten) };
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

/** A field of another tool of ours was meant for us, too. */
const fieldsOfCalls: ReadonlySet<string> = new Set(
  [openFields, runFields, sendFields, readFields, waitFields, closeFields].flatMap((fields) =>
    Object.keys(fields).map(toSnakeCase),
  ),
);

const describeUnknownFields = (names: readonly string[], known: readonly string[]): string[] => {
  if (names.length === 0) return [];
  return [
    ...names.map((name) => {
      const meant = meantField(name, known);
      return `there is no ${quote(name)}${meant ? `, did you mean ${meant}?` : ''}`;
    }),
    known.length === 0 ? 'it takes no arguments' : `its fields are ${known.join(', ')}`,
  ];
};

/** Which of our fields a name was meant for: a misspelt one, one with another unit, another tool's word. */
const meantField = (name: string, known: readonly string[]): string | undefined => {
  // No field name is this long, and comparing megabytes takes too long.
  if (name.length > MAX_SHOWN_CHARACTERS) return undefined;
  const [firstWord = ''] = toSnakeCase(name).split(/[_-]/);
  const sameWord = (field: string) => field.split('_')[0] === firstWord;
  const misspelt = nearestWord(name, known, DIFFERING_LETTERS);
  return misspelt ?? known.find(sameWord) ?? knownSynonym(name, known);
};

/** With half of them "reason", which models like to give, would be taken for "session". */
const DIFFERING_LETTERS = 1 / 3;

const knownSynonym = (name: string, known: readonly string[]): string | undefined =>
  Object.entries(synonyms).find(
    ([field, words]) => known.includes(field) && words.includes(name.toLowerCase()),
  )?.[0];

/** What other terminal tools call our fields. Ignored, a command would run in the wrong folder. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  command: ['cmd', 'program', 'script', 'args'],
  cwd: ['workdir', 'dir', 'directory', 'folder', 'path', 'working_directory', 'workingdirectory'],
  env: ['environment', 'variables'],
  cols: ['columns', 'width'],
  rows: ['lines', 'height'],
  text: ['input', 'chars', 'data', 'stdin', 'line', 'message', 'command', 'string'],
  keys: ['press', 'key_sequence', 'control'],
  submit: ['enter', 'newline', 'press_enter'],
  match: ['pattern', 'expect', 'regex', 'wait_for'],
  search: ['grep', 'query', 'filter'],
  session: ['id', 'terminal', 'target', 'pid'],
  sessions: ['id', 'terminal', 'target'],
  timeout_ms: ['wait_ms', 'yield_time_ms', 'deadline', 'seconds', 'wait'],
  max_tokens: ['limit', 'max_output_tokens', 'max_lines', 'max_chars'],
  from: ['offset', 'since', 'start', 'position'],
  force: ['kill', 'signal'],
};

/** A value can be megabytes long. This much is enough to recognize it. */
const MAX_SHOWN_CHARACTERS = 40;

const describeValue = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `the string ${quote(value)}` : String(value);
};

const quote = (text: string): string => JSON.stringify(shorten(text));

const shorten = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
