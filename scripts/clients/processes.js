/** The processes of this namespace. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(pid), command }];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });

export const untilTrue = async (isTrue, what) => {
  for (let tries = 0; tries < 100; tries++) {
    if (isTrue()) return;
    await delay(100);
  }
  throw new Error(`Not within 10 s: ${what}`);
};
