import { describe, expect, test } from 'vitest';
import { selfPipeTest } from '../../../src/system/foreground/self-pipes.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';

const PID = 7;

/** A process with these descriptor links. The sockets in `unnamed` are Unix sockets without a path. */
const holding = (links: readonly string[], unnamed: readonly number[] = []): FakeProc => {
  const proc = new FakeProc();
  for (const [fd, link] of links.entries()) proc.links[`/proc/${PID}/fd/${fd}`] = link;
  proc.files[`/proc/${PID}/net/unix`] = unnamed
    .map((inode) => `0000000000000000: 00000003 00000000 00000000 0001 03 ${inode}\n`)
    .join('');
  return proc;
};
const sockets = (...inodes: number[]) => inodes.map((inode) => `socket:[${inode}]`);

describe('a program waits for itself', () => {
  test('at a pipe of which it holds both ends', () => {
    expect(selfPipeTest(holding(['pipe:[1]', 'pipe:[1]']), PID, [])('pipe:[1]')).toBe(true);
  });

  test('at one of two sockets that were made together', () => {
    const proc = holding(sockets(10, 11), [10, 11]);
    expect(selfPipeTest(proc, PID, sockets(10))('socket:[10]')).toBe(true);
    expect(selfPipeTest(proc, PID, sockets(11))('socket:[11]')).toBe(true);
  });

  test('at one of several pairs, told apart by their place in the row', () => {
    const proc = holding(sockets(10, 11, 12, 13), [10, 11, 12, 13]);
    expect(selfPipeTest(proc, PID, sockets(11, 12))('socket:[12]')).toBe(true);
    expect(selfPipeTest(proc, PID, sockets(12, 13))('socket:[12]')).toBe(false);
  });
});

describe('a program waits for another', () => {
  test('at a pipe of which it holds one end', () => {
    expect(selfPipeTest(holding(['pipe:[1]', 'pipe:[2]']), PID, [])('pipe:[1]')).toBe(false);
  });

  test('at a socket without a neighbour', () => {
    expect(selfPipeTest(holding(sockets(10, 12), [10, 12]), PID, [])('socket:[10]')).toBe(false);
  });

  test('at one of two connections that are both waited for', () => {
    const proc = holding(sockets(10, 11), [10, 11]);
    expect(selfPipeTest(proc, PID, sockets(10, 11))('socket:[10]')).toBe(false);
  });

  test('at one of three sockets in a row: nothing tells who belongs to whom', () => {
    const proc = holding(sockets(10, 11, 12), [10, 11, 12]);
    for (const link of sockets(10, 11, 12))
      expect(selfPipeTest(proc, PID, [link])(link)).toBe(false);
  });

  test.each([[[10]], [[11]], [[]]])(
    'at neighbours of which only these are unnamed: %j',
    (unnamed) => {
      const proc = holding(sockets(10, 11), unnamed);
      expect(selfPipeTest(proc, PID, sockets(10))('socket:[10]')).toBe(false);
    },
  );

  test('where it cannot be seen what it holds', () => {
    const proc = holding(['pipe:[1]', 'pipe:[1]']);
    proc.denied.add(`/proc/${PID}/fd`);
    expect(selfPipeTest(proc, PID, [])('pipe:[1]')).toBe(false);
  });
});
