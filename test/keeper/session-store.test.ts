import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OUTPUT_RECORD, SessionStore, type StoreContents } from '../../src/keeper/session-store.ts';
import {
  LOG_BYTES,
  MAX_READ_BYTES,
  READ_BYTES,
  STORE_LAYOUT,
} from '../../src/keeper/store-layout.ts';
import { closePipeEnd, duplicateDescriptor, openPipe } from '../../src/system/descriptors.ts';
import { readWays } from '../../src/system/terminal/read-memory.ts';
import { until } from '../helpers/until.ts';

/** Text of so many lines, each different. */
const lines = (count: number) =>
  Buffer.from(Array.from({ length: count }, (_, n) => `${n}\n`).join(''));

const newStore = (base = '', readBytes = READ_BYTES): SessionStore => {
  const store = SessionStore.create({ readBytes });
  onTestFinished(() => store.close());
  store.rebase(Buffer.from(base));
  return store;
};

/** What another process would find. */
const reopened = ({ fd }: SessionStore): StoreContents => {
  const store = SessionStore.open(duplicateDescriptor(fd));
  try {
    return store.contents();
  } finally {
    store.close();
  }
};

const readInto = (store: SessionStore, text: string): Buffer => {
  store.readBuffer('stream').write(text);
  return store.noteRead('stream', Buffer.byteLength(text));
};

/** The base and the output after it. */
const textIn = (contents: StoreContents): string => {
  const output = contents.records.filter(({ type }) => type === OUTPUT_RECORD);
  return Buffer.concat([contents.body, ...output.map(({ bytes }) => bytes)]).toString();
};

test('a store holds what was written down last, and what was read and noted since', () => {
  const store = newStore('before');
  expect(readInto(store, ' one').toString()).toBe(' one');
  store.append(7, Buffer.from('a note'));
  readInto(store, ' two');
  expect(reopened(store)).toEqual({
    body: Buffer.from('before'),
    records: [
      { type: OUTPUT_RECORD, bytes: Buffer.from(' one') },
      { type: 7, bytes: Buffer.from('a note') },
      { type: OUTPUT_RECORD, bytes: Buffer.from(' two') },
    ],
    missing: 0,
  });
  store.rebase(Buffer.from('before one two'));
  expect(reopened(store)).toEqual({
    body: Buffer.from('before one two'),
    records: [],
    missing: 0,
  });
});

test('output that was read and not noted is found once', () => {
  const store = newStore();
  readInto(store, 'noted, ');
  store.readBuffer('stream').write('only read');
  expect(textIn(reopened(store))).toBe('noted, only read');
  expect(textIn(reopened(store))).toBe('noted, only read');
});

test('output that was noted, and whose buffer was not cleared yet, is there once', () => {
  const store = newStore();
  for (const way of readWays) {
    const buffer = store.readBuffer(way);
    buffer.write('noted ');
    store.noteRead(way, 6);
    buffer.write('noted ');
  }
  expect(textIn(reopened(store))).toBe('noted noted ');
});

test('output that was noted, but is not in the base, is kept when the session is written down', () => {
  const store = newStore();
  readInto(store, 'shown, not shown yet');
  store.rebase(Buffer.from('shown, '), { undelivered: Buffer.from('not shown yet') });
  expect(textIn(reopened(store))).toBe('shown, not shown yet');
});

test('a label is read without the rest, which may be damaged', () => {
  const store = newStore();
  store.rebase(Buffer.from('the rest'), { label: Buffer.from('the label') });
  readInto(store, 'output');
  store.append(7, Buffer.from('a note'));
  const expected = {
    label: Buffer.from('the label'),
    records: [{ type: 7, bytes: Buffer.from('a note') }],
  };
  expect(store.label()).toEqual(expected);
  expect(textIn(reopened(store))).toBe('the restoutput');
  const body = STORE_LAYOUT.base + 16 + 'the label'.length;
  writeSync(store.fd, Buffer.from('x'), 0, 1, body);
  expect(store.label()).toEqual(expected);
  expect(() => store.contents()).toThrow('its base is damaged');
  writeSync(store.fd, Buffer.from('x'), 0, 1, body - 1);
  expect(() => store.label()).toThrow('its base is damaged');
});

test('a store can be read into as much at once as it was made for', () => {
  for (const readBytes of [1, READ_BYTES, MAX_READ_BYTES]) {
    const store = newStore('', readBytes);
    const text = 'x'.repeat(readBytes);
    for (const way of readWays) {
      expect(store.readBuffer(way)).toHaveLength(readBytes);
      store.readBuffer(way).write(text);
      store.noteRead(way, readBytes);
    }
    store.readBuffer('stream').write(text);
    expect(textIn(reopened(store))).toBe(text.repeat(3));
  }
});

test('a store that was closed can be used to no effect, and does not crash', () => {
  const store = SessionStore.create();
  const buffer = store.readBuffer('stream');
  const left = duplicateDescriptor(store.fd);
  store.rebase(Buffer.from('the base'));
  const chunk = readInto(store, 'output');
  store.exit = { code: 3 };
  store.close();
  store.exit = { code: 4 };
  buffer.write('late');
  chunk.fill('x');
  store.append(7, Buffer.from('late'));
  const again = SessionStore.open(left);
  expect(textIn(again.contents())).toBe('the baseoutput');
  expect(again.exit).toEqual({ code: 3 });
  again.close();
});

test('a full log asks to write the session down, and loses nothing', () => {
  const store = newStore();
  const text = lines(2_000_000).toString();
  let shown = '';
  let times = 0;
  store.onFull = () => {
    times++;
    store.rebase(Buffer.from(shown));
  };
  for (let at = 0; at < text.length; at += 4000) {
    readInto(store, text.slice(at, at + 4000));
    shown = text.slice(0, at + 4000);
  }
  expect(times).toBeGreaterThan(Math.floor(text.length / LOG_BYTES) - 1);
  expect(textIn(reopened(store))).toBe(text);
});

test('what was noted and written down before is given back', async () => {
  const store = newStore();
  const takenBytes = () => fstatSync(store.fd).blocks * 512;
  for (let at = 0; at < 500; at++) readInto(store, 'x'.repeat(4000));
  store.rebase(Buffer.alloc(3_000_000, 1));
  await nextTurn();
  store.rebase(Buffer.from('small'));
  await until('it is given back', () => takenBytes() < 1_500_000);
  expect(textIn(reopened(store))).toBe('small');
});

test('a full log has place for what was read and not noted', () => {
  for (const readBytes of [READ_BYTES, MAX_READ_BYTES]) {
    const store = newStore('', readBytes);
    // Nobody writes the session down.
    while (store.append(7, Buffer.alloc(100)));
    const read = 'x'.repeat(readBytes);
    store.readBuffer('direct').write(read);
    expect(textIn(reopened(store))).toBe(read);
    expect(textIn(reopened(store))).toBe(read);
  }
});

test('a full log of a session that cannot be written down counts what is missing', () => {
  const store = newStore('base ');
  const chunk = 'x'.repeat(4000);
  let noted = 0;
  // Nobody writes it down.
  for (; noted * 4000 < 2 * LOG_BYTES; noted++)
    expect(readInto(store, chunk).toString()).toBe(chunk);
  // There is room for what must not wait.
  expect(store.append(7, Buffer.from('a note'))).toBe(true);
  store.readBuffer('stream').write('only read');
  const contents = reopened(store);
  const kept = textIn(contents).length - 'base '.length;
  expect(contents).toMatchObject({ missing: noted * 4000 - kept + 'only read'.length });
  expect(kept).toBeGreaterThan(LOG_BYTES / 2);
  store.rebase(Buffer.from('all of it'));
  readInto(store, ', and more');
  expect(textIn(reopened(store))).toBe('all of it, and more');
  expect(reopened(store).missing).toBe(0);
});

test('how a program ended is known to whoever opens the store', () => {
  const store = newStore();
  store.pid = 4711;
  const exitIn = () => SessionStore.open(duplicateDescriptor(store.fd)).exit;
  expect(exitIn()).toBeUndefined();
  const lost = { isLost: true } as const;
  for (const exit of [{ code: 0 }, { code: 255 }, { signal: 'SIGKILL' }, lost]) {
    store.exit = exit;
    expect(exitIn()).toEqual(exit);
  }
});

describe('a store that cannot be used says why', () => {
  test.each<[problem: string, offset: number, bytes: number[]]>([
    ['it is no store', STORE_LAYOUT.magic, [0]],
    ['its format is version 9', STORE_LAYOUT.version, [9]],
    ['it was not written down yet', STORE_LAYOUT.generation, [0, 0, 0, 0]],
    ['its buffers are damaged', STORE_LAYOUT.readBytes, [0, 0, 0, 0]],
    ['its buffers are damaged', STORE_LAYOUT.readBytes, [0, 0, 1, 1]],
    ['its log is damaged', STORE_LAYOUT.logs + 4, [0xff, 0xff, 0xff, 0x7f]],
    ['its log is damaged', STORE_LAYOUT.log + LOG_BYTES + 1, [0xff]],
    ['its base is damaged', 2 * STORE_LAYOUT.base + 20, [0]],
    ['its base is damaged', 2 * STORE_LAYOUT.base + 8, [0xff, 0xff, 0xff, 0xff]],
    ['its base is damaged', 2 * STORE_LAYOUT.base, [0xff, 0xff, 0xff, 0xff]],
  ])('%s', (problem, offset, bytes) => {
    const store = newStore('the base');
    readInto(store, 'output');
    writeSync(store.fd, Buffer.from(bytes), 0, bytes.length, offset);
    expect(() => reopened(store)).toThrow(problem);
  });
});

const KILLS = Number(process.env.KILLS ?? 10);

test.each([READ_BYTES, MAX_READ_BYTES])(
  'whenever its process is killed, no byte of the output is lost or there twice (%i at once)',
  async (readBytes) => {
    const store = newStore('', readBytes);
    const { readEnd, writeEnd } = openPipe();
    const text = lines(KILLS * 200_000);
    const writer = spawn('cat', { stdio: ['pipe', writeEnd, 'inherit'] });
    closePipeEnd(writeEnd);
    writer.stdin!.end(text);
    const script = join(import.meta.dirname, '../fixtures/store-reader.js');
    let killed = 0;
    for (let code: number | null = null; code !== 0; ) {
      const stdio = ['ignore', 'pipe', 'inherit', readEnd, store.fd] as const;
      const child = spawn(process.execPath, [script], { stdio: [...stdio] });
      const exited = once(child, 'exit');
      // Now it has opened the store, and reads until there is no more.
      await Promise.race([exited, once(child.stdout!, 'data')]);
      if (killed < KILLS) await Promise.race([exited, delay(Math.random() * 20)]);
      if (killed < KILLS) child.kill('SIGKILL');
      [code] = (await exited) as [number | null];
      if (code !== 0) killed++;
    }
    closeSync(readEnd);
    const found = textIn(reopened(store));
    let same = 0;
    while (same < text.length && found.charCodeAt(same) === text[same]) same++;
    const around = [found, text.toString()].map((each) => each.slice(same - 40, same + 60));
    expect({ same, around, length: found.length }).toEqual({
      same: text.length,
      around: [around[1], around[1]],
      length: text.length,
    });
    expect(killed).toBeGreaterThan(0);
  },
  30_000 + KILLS * 3000,
);
