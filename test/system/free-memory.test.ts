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
