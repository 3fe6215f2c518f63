import { closeSync, fstatSync, writeSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { StoredPages } from '../../src/keeper/stored-pages.ts';
import { createSharedMemory } from '../../src/system/shared-memory.ts';

const newMemory = (): number => {
  const fd = createSharedMemory('test', 4096);
  onTestFinished(() => closeSync(fd));
  return fd;
};

/** What the file takes of the machine's memory. */
const takenBytes = (fd: number): number => fstatSync(fd).blocks * 512;

const never = (): never => {
  throw new Error('it is there already');
};

test('a part is written once, and read by whoever knows where it is', () => {
  const fd = newMemory();
  const pages = new StoredPages(fd);
  const part = {};
  const stored = pages.store(part, () => Buffer.from('a full page'));
  expect(pages.store(part, never)).toEqual(stored);
  const other = new StoredPages(fd);
  const again = other.load(stored, (encoded) => ({ text: encoded.toString() }));
  expect(again).toEqual({ text: 'a full page' });
  expect(other.store(again, never)).toEqual(stored);
  const next = other.store({}, () => Buffer.from('the next'));
  expect(next.at).toBeGreaterThan(stored.at);
  expect(pages.load(stored, (encoded) => ({ text: encoded.toString() }))).toEqual(again);
});

test('what the last base does not name is written over, or given back', () => {
  const fd = newMemory();
  const pages = new StoredPages(fd);
  const parts = Array.from({ length: 40 }, () => ({}));
  const page = () => Buffer.alloc(100_000, 1);
  for (const part of parts) pages.store(part, page);
  pages.dropUnnamed();
  const all = takenBytes(fd);
  expect(all).toBeGreaterThanOrEqual(40 * 100_000);
  for (const part of parts.slice(39)) pages.store(part, never);
  pages.dropUnnamed();
  expect(() => pages.store(parts[0]!, never)).toThrow('it is there already');
  const again = Array.from({ length: 20 }, () => pages.store({}, page).at);
  expect(new Set(again).size).toBe(20);
  expect(takenBytes(fd)).toBe(all);
  pages.giveBackFree();
  expect(takenBytes(fd)).toBeLessThan((all * 22) / 40);
});

test('a page that was changed by somebody is refused', () => {
  const fd = newMemory();
  const pages = new StoredPages(fd);
  const stored = pages.store({}, () => Buffer.from('a full page'));
  writeSync(fd, Buffer.from('X'), 0, 1, stored.at + 2);
  expect(() => pages.load(stored, Object)).toThrow('a page of its history is damaged');
  const beyond = { ...stored, at: 2 ** 50 };
  expect(() => pages.load(beyond, Object)).toThrow('a page of its history is damaged');
});
