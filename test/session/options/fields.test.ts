/** A call is described once: a field of its description is in its types, its wire check and its tool. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { MethodParams } from '../../../src/daemon/protocol/protocol.ts';
import { findParamsProblem } from '../../../src/daemon/protocol/validate-params.ts';
import { native } from '../../../src/dialects/native/dialect.ts';
import type { LocalSessions } from '../../../src/session/local-sessions.ts';
import {
  closeFields,
  openFields,
  readFields,
  runFields,
  sendFields,
  waitFields,
} from '../../../src/session/options/calls.ts';
import {
  boolean,
  type Field,
  type Fields,
  forTool,
  number,
  type ObjectField,
  type OptionsOf,
  object,
  string,
  type ValueOf,
} from '../../../src/session/options/fields.ts';
import type {
  OpenOptions,
  ReadOptions,
  RunOptions,
  SendOptions,
  WaitOptions,
} from '../../../src/session/options/options.ts';
import { openRequest, runRequest } from '../../../src/session/options/requests.ts';
import type { Secret } from '../../../src/session/secrets/secrets.ts';

const open = openRequest({ command: ['cat'] });
const secret = { name: 'pin', value: '1234' };

/** The fields of each call as they are sent, and parameters with a value for each that is given. */
const calls: Readonly<Record<string, [Fields, (given: object) => unknown]>> = {
  open: [openFields, (given) => ({ request: { ...open, ...given } })],
  send: [sendFields, (given) => ({ session: 'x', input: given })],
  read: [readFields, (given) => ({ session: 'x', options: given })],
  wait: [waitFields, (given) => ({ options: given })],
  run: [runFields, (given) => ({ request: { ...runRequest('ls', {}), ...given } })],
  close: [closeFields, (given) => ({ session: 'x', options: given })],
};

/** They become a part of the request (the command, or the request for the shell that runs it), or choose the machine. */
const notSent: Readonly<Record<string, readonly string[]>> = {
  open: ['host', 'shell', 'clean'],
  run: ['host', 'cwd', 'env', 'sandbox'],
};

const rightValue = (name: string, { type }: Field<unknown>): unknown => {
  if (name === 'secret') return secret;
  if (name === 'command') return ['cat'];
  return (
    { string: 'x', number: 1, integer: 1, boolean: true, strings: ['x'], variables: {} }[
      type as string
    ] ?? {}
  );
};

describe.each(Object.entries(calls))('every field of %s', (call, [fields, params]) => {
  const method = call as 'open';
  const sent = Object.entries(fields).filter(([name]) => !notSent[call]?.includes(name));

  test('is checked when it arrives through the socket', () => {
    for (const [name, field] of sent) {
      expect(findParamsProblem(method, params({ [name]: rightValue(name, field) }))).toBe(
        undefined,
      );
      expect(findParamsProblem(method, params({ [name]: null }))).toMatch(
        new RegExp(`^${call}\\.\\w+\\.${name} is not an? `),
      );
    }
  });

  test('that a model is told of is in the tool, with what it is told', () => {
    const { tools } = native({} as LocalSessions);
    const { properties, required = [] } = tools.find(({ name }) => name === `terminal_${call}`)!
      .input as { properties: Record<string, { description?: string }>; required?: string[] };
    const told = Object.entries(fields).filter(([, { tool }]) => tool !== undefined);
    const snakeCase = (name: string) => name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`);
    expect(
      Object.entries(properties)
        .filter(([name]) => !required.includes(name))
        .map(([name, { description = '' }]) => [name, description]),
    ).toEqual(told.map(([name, { tool }]) => [snakeCase(name), tool]));
  });
});

test('the types of the options, of what is sent and of the fields are the same', () => {
  type Request<M extends 'open' | 'run'> = MethodParams<M>['request'];
  expectTypeOf<MethodParams<'read'>['options']>().toEqualTypeOf<ReadOptions>();
  expectTypeOf<MethodParams<'wait'>['options']>().toEqualTypeOf<WaitOptions>();
  expectTypeOf<Omit<MethodParams<'send'>['input'], 'secret'>>().toEqualTypeOf<
    Omit<SendOptions, 'secret'>
  >();
  expectTypeOf<NonNullable<MethodParams<'send'>['input']['secret']>>().toEqualTypeOf<Secret>();
  expectTypeOf<Exclude<keyof OpenOptions, keyof Request<'open'>>>().toEqualTypeOf<
    'host' | 'shell' | 'clean'
  >();
  expectTypeOf<Exclude<keyof RunOptions, keyof Request<'run'>>>().toEqualTypeOf<
    'host' | 'cwd' | 'env' | 'sandbox'
  >();
});

test('a description gives the type of its values', () => {
  const point = object({ x: number }, { label: string, shown: forTool(boolean) });
  expectTypeOf(point).toExtend<ObjectField<{ x: number; label?: string; shown?: boolean }>>();
  expectTypeOf<ValueOf<typeof point>['x']>().toEqualTypeOf<number>();
  const fields = { label: string };
  expectTypeOf<OptionsOf<typeof fields>>().toEqualTypeOf<{ label?: string }>();
});

describe('the wire check', () => {
  test.each([
    ['open', { request: { ...open, cols: '80' } }, 'open.request.cols is not a number'],
    [
      'open',
      { request: { ...open, command: 'cat' } },
      'open.request.command is not a list of strings',
    ],
    [
      'open',
      { request: { ...open, env: { A: 5 } } },
      'open.request.env is not an object of strings',
    ],
    [
      'open',
      { request: { ...open, history: { maxBytes: '' } } },
      'open.request.history.maxBytes is not a number',
    ],
    ['open', {}, 'open.request is not an object'],
    ['type', { session: 'x', bytes: { length: 1e9 } }, 'type.bytes is not bytes'],
    ['send', { session: 'x', input: { secret: 'pin' } }, 'send.input.secret is not an object'],
    ['read', { session: 'x', options: [] }, 'read.options is not an object'],
    ['read', Object.create({ session: 'x', options: {} }), 'read.session is not a string'],
    ['list', null, 'list is not an object'],
  ] as const)('%s %j: %s', (method, params, problem) => {
    expect(findParamsProblem(method, params)).toBe(problem);
  });

  test('leaves words and bounds to the engine, and ignores fields it does not know', () => {
    const options = { view: 'nonsense', from: -0.5, surprise: { length: 1e9 } };
    expect(findParamsProblem('read', { session: 'x', options, more: [] })).toBe(undefined);
  });
});
