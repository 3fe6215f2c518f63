import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Frees nine of ten rows of a screen, so that glibc has no end of its heap to give back. */
const PROGRAM = `
  import { setTimeout as delay } from 'node:timers/promises';
  const { giveFreeMemoryBack } = await import(process.argv[1]);
  if (process.argv[2] === 'yes') giveFreeMemoryBack();
  let rows = Array.from({ length: 30_000 }, () => new Uint32Array(3000).fill(1));
  rows = rows.filter((_, at) => at % 10 === 0);
  for (let round = 0; round < 5; round++) {
    gc();
    await delay(50);
  }
  console.log(Math.round(process.memoryUsage.rss() / 2 ** 20), rows.length);
`;

const MODULE = join(import.meta.dirname, '../../dist/system/free-memory.js');

const megabytesAfter = (given: 'yes' | 'no'): number => {
  const args = ['--expose-gc', '--input-type=module', '-e', PROGRAM, MODULE, given];
  return Number.parseInt(execFileSync(process.execPath, args, { encoding: 'utf8' }), 10);
};

test('memory that is free between pieces in use goes back to the system', () => {
  const kept = megabytesAfter('no');
  expect(kept).toBeGreaterThan(300);
  expect(megabytesAfter('yes')).toBeLessThan(kept / 2);
});

/** What reads a terminal is held by its handle, which is closed at the end of a turn of the event loop. */
const CLOSING_PROGRAM = `
  import { Socket } from 'node:net';
  import { setTimeout as delay } from 'node:timers/promises';
  const { giveFreeMemoryBack, collectMuchGarbage } = await import(process.argv[1]);
  giveFreeMemoryBack();
  const close = () => {
    const socket = new Socket({ fd: 0 });
    const screen = Array.from({ length: 1_000_000 }, (_, at) => [at]);
    socket.on('data', () => screen.length);
    socket.destroy();
    setImmediate(collectMuchGarbage);
  };
  const megabytes = () => Math.round(process.memoryUsage().heapUsed / 2 ** 20);
  close();
  for (let left = 100; left > 0 && megabytes() >= 30; left--) await delay(20);
  console.log(megabytes());
`;

test('what a session that was just closed has left is found, though its terminal is still closing', () => {
  const args = ['--input-type=module', '-e', CLOSING_PROGRAM, MODULE];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });
  expect(Number.parseInt(output, 10)).toBeLessThan(30);
});
