/**
 * The words in which a call is described, once. From its description come the type of its options
 * (`OptionsOf`), the check of what arrives through the socket (daemon/protocol/validate-params.ts) and
 * the input of its tool (dialects/shared/check-arguments.ts).
 *
 * Descriptions are plain data and not zod's: loading zod takes longer than a whole command, and the
 * declarations that we publish would need it.
 */

/** `Value` is the type of its values in our code, which can be narrower than what is checked. */
export interface Field<Value> {
  readonly type: FieldType;
  readonly words?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** What a model reads about it; '' if the name says enough. Without it, no tool has the field. */
  readonly tool?: string;
  /** Never set: only the compiler looks at it. */
  readonly value?: Value;
}

export type FieldType =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'strings'
  | 'numbers'
  | 'variables'
  | 'bytes'
  | 'object';

export type Fields = Readonly<Record<string, Field<unknown>>>;

export interface ObjectField<Value> extends Field<Value> {
  readonly type: 'object';
  readonly required: Fields;
  readonly optional: Fields;
}

export type ValueOf<F> = F extends Field<infer Value> ? Value : never;
export type ValuesOf<F extends Fields> = { [Name in keyof F]: ValueOf<F[Name]> };
export type OptionsOf<F extends Fields> = { [Name in keyof F]?: ValueOf<F[Name]> };

/** The fields of a type that is declared elsewhere: all of them, and no others. */
export type FieldsOf<Value> = { [Name in keyof Value]-?: Field<NonNullable<Value[Name]>> };

export const string: Field<string> = { type: 'string' };
export const number: Field<number> = { type: 'number' };
export const boolean: Field<boolean> = { type: 'boolean' };
export const strings: Field<readonly string[]> = { type: 'strings' };
export const numbers: Field<readonly number[]> = { type: 'numbers' };
export const variables: Field<Readonly<Record<string, string | undefined>>> = { type: 'variables' };

export const integerFrom = (minimum: number): Field<number> => ({
  type: 'integer',
  minimum,
  maximum: Number.MAX_SAFE_INTEGER,
});

export const oneOf = <Word extends string>(words: readonly Word[]): Field<Word> => ({
  type: 'string',
  words,
});

export const object = <Required extends Fields, Optional extends Fields>(
  required: Required,
  optional: Optional,
): ObjectField<ValuesOf<Required> & OptionsOf<Optional>> => ({
  type: 'object',
  required,
  optional,
});

/** An object whose fields may all be missing. */
export const options = <Optional extends Fields>(
  optional: Optional,
): ObjectField<OptionsOf<Optional>> => ({ type: 'object', required: {}, optional });

/** The field with what a model reads about it. */
export const forTool = <Value>(field: Field<Value>, tool = ''): Field<Value> => ({
  ...field,
  tool,
});
