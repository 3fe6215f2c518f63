import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { DEFAULT_ACTOR } from '../../../src/session/options/options.ts';
import { CommandTracker } from '../../../src/session/run/command-tracker.ts';
import type { Session } from '../../../src/session/session.ts';
import {
  type SessionSnapshot,
  sessionSnapshot,
  type TrackerSnapshot,
} from '../../../src/session/snapshot/session-snapshot.ts';
import type { AdoptedTerminal, Pty } from '../../../src/system/terminal/pty.ts';
import type { Terminal } from '../../../src/system/terminal/terminal.ts';
import { perform } from '../../fixtures/session-steps.js';
import { testWith } from '../../helpers/needs.ts';
import { type Situation, situations } from './situations.ts';

const word = { name: 'word', value: 'open sesame 42' };
const secrets = { names: () => ['word'], find: () => word };

/** It looks in each turn of the event loop: no timer can end the holding between two looks. */
const untilHeldBack = async (session: Session) => {
  while (session.snapshot().mask.held.length === 0) await nextTurn();
};

/** Opens a session and brings it into the situation. */
const arrive = async ({ open, before, isHolding }: Situation) => {
  const sessions = new LocalSessions({ secrets });
  onTestFinished(async () => {
    await sessions.closeAll({ force: true, graceMs: 0 });
  });
  await sessions.open({ cols: 80, rows: 24, ...open, name: 'it' });
  const session = sessions.find('it');
  // The send of a secret returns only when nothing is held back any more.
  const arriving = perform(sessions, before);
  if (isHolding) await untilHeldBack(session);
  else await arriving;
  return { sessions, session };
};

/** Goes on in a new process. */
const goOnElsewhere = async (
  snapshot: SessionSnapshot,
  terminal: AdoptedTerminal,
  steps: Situation['after'],
): Promise<{ again: SessionSnapshot; results: unknown[] }> => {
  const script = join(import.meta.dirname, '../../fixtures/restored-session.js');
  const child: ChildProcess = spawn(process.execPath, [script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', terminal.master, terminal.slave ?? 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.send(serialize({ snapshot, terminal, steps }).toString('base64'));
  const [message] = (await once(child, 'message')) as [string];
  return deserialize(Buffer.from(message, 'base64'));
};

describe.each(situations)('$name', (situation) => {
  testWith(...(situation.needs ?? []))('goes on in another process as in this one', async () => {
    const control = await arrive(situation);
    const expected = await perform(control.sessions, situation.after);

    const { session } = await arrive(situation);
    const terminal = (session.terminal as Pty).handOver();
    const snapshot = session.snapshot();
    const { again, results } = await goOnElsewhere(snapshot, terminal, situation.after);
    expect(comparable(again)).toEqual(comparable(snapshot));
    const without = situation.varies ? ['position', 'because'] : [];
    expect(omit(results, without)).toEqual(omit(expected, without));
  });
});

const omit = (results: unknown[], keys: readonly string[]) =>
  JSON.parse(JSON.stringify(results), (key, value) => (keys.includes(key) ? undefined : value));

/** With bytes as text, which is compared faster, and times to the millisecond. */
const comparable = (snapshot: object) =>
  JSON.parse(
    JSON.stringify(snapshot, (key, value) => {
      if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
      return /^at$|[a-z]At$/.test(key) ? Math.round(value) : value;
    }),
  );

/** A value with every field of the schema, each different from the others. */
const makeFull = (schema: z.ZodType, counter = { next: 1 }): unknown => {
  const { type, shape, element, innerType, entries, values, options, ...record } =
    schema.def as unknown as SchemaDef;
  const make = (inner: z.ZodType) => makeFull(inner, counter);
  if (innerType !== undefined) return make(innerType);
  if (type === 'object')
    return Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, make(field)]));
  if (type === 'array') return [make(element), make(element)];
  if (type === 'record') return { [String(make(record.keyType))]: make(record.valueType) };
  if (type === 'enum') return Object.values(entries).at(-1);
  if (type === 'literal') return values[0];
  if (type === 'boolean') return true;
  if (type === 'union') return make(options.at(-1)!);
  const number = counter.next++;
  if (type === 'string') return `text ${number}`;
  return type === 'number' ? number : Uint8Array.from(Buffer.from(`bytes ${number}`));
};

interface SchemaDef {
  type: string;
  shape: Record<string, z.ZodType>;
  element: z.ZodType;
  keyType: z.ZodType;
  valueType: z.ZodType;
  innerType: z.ZodType | undefined;
  entries: Record<string, string>;
  values: unknown[];
  options: z.ZodType[];
}

const never = new Promise<never>(() => {});
const silentTerminal = {
  pid: 0,
  exited: never,
  ended: never,
  limitWork: () => {},
} as unknown as Terminal;

describe('a session with every field filled', () => {
  const { screen: _, ...parts } = sessionSnapshot.shape;

  test('is written down as it was restored, field by field', async () => {
    const { session } = await arrive({
      name: '',
      open: { command: ['cat'] },
      before: [],
      after: [],
    });
    const { shell, ...full } = makeFull(z.strictObject(parts)) as Omit<SessionSnapshot, 'screen'>;
    // There is always a reader of this name.
    full.readers[0]!.name = DEFAULT_ACTOR;
    shell.promptMarks = ['prompt', 'done'];
    // The end of a command is the end of its tracking.
    delete shell.running?.tracker?.end;
    const snapshot: SessionSnapshot = {
      ...full,
      name: 'it',
      shell,
      screen: session.snapshot().screen,
    };
    const sessions = new LocalSessions();
    await sessions.restore(snapshot, () => silentTerminal);
    expect(comparable(sessions.find(snapshot.name).snapshot())).toEqual(comparable(snapshot));
  });

  test('has a command whose end is known, field by field', () => {
    const full = makeFull(parts.shell.shape.running) as { tracker: TrackerSnapshot };
    const session = { onScreenEvent: new Set() } as unknown as Session;
    const again = CommandTracker.restore(session, full.tracker).snapshot();
    expect(comparable(again)).toEqual(comparable(full.tracker));
  });
});

describe('data that is not a session', () => {
  const restore = (snapshot: object) =>
    new LocalSessions().restore(snapshot as SessionSnapshot, () => {
      throw new Error('nothing may be adopted');
    });

  test('is refused, and nothing is adopted: with a field missing, too many, or wrong', async () => {
    const { session } = await arrive({
      name: '',
      open: { command: ['cat'] },
      before: [],
      after: [],
    });
    const snapshot = session.snapshot();
    const { input, ...missing } = snapshot;
    const tooMany = { ...snapshot, colour: 'red' };
    const wrong = { ...snapshot, input: { ...input, position: 'here' } };
    for (const [data, field] of [
      [missing, 'input'],
      [tooMany, ''],
      [wrong, 'input.position'],
    ] as const) {
      await expect(restore(data)).rejects.toMatchObject({
        code: 'SNAPSHOT_UNUSABLE',
        details: { field },
      });
    }
  });
});
