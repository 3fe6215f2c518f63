/**
 * Ends a daemon that takes too much memory, and its keeper: `watchdog.js PID KEEPER MEGABYTES`. A process of
 * its own, so that nothing that keeps the test busy can delay it. If the test ends, it ends them too.
 */
import { readFileSync } from 'node:fs';

const [pid, keeper, megabytes] = process.argv.slice(2).map(Number);
const PAGE_BYTES = 4096;
const POLL_MS = 10;

const startOf = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[19];
const residentMegabytes = () =>
  (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 2 ** 20;

const end = () => {
  // It must not become a keeper, nor be started again.
  process.kill(pid, 'SIGSTOP');
  for (const each of [keeper, pid]) process.kill(each, 'SIGKILL');
};

const started = startOf();
console.log('watching');
setInterval(() => {
  try {
    if (startOf() !== started) process.exit();
    const taken = residentMegabytes();
    if (taken <= megabytes) return;
    end();
    console.log(`killed at ${Math.round(taken)} MB`);
  } catch {
    process.exit();
  }
}, POLL_MS);
process.stdin
  .on('end', () => {
    end();
    process.exit();
  })
  .resume();
