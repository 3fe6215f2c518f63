/**
 * Ends a process that takes too much memory: `watchdog.js PID MEGABYTES`. A process of its own, so that
 * nothing that keeps the test busy can delay it. If the test ends, it ends the process too.
 */
import { readFileSync } from 'node:fs';

const [pid, megabytes] = process.argv.slice(2).map(Number);
const PAGE_BYTES = 4096;
const POLL_MS = 10;

const startOf = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[19];
const residentMegabytes = () =>
  (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 2 ** 20;

const started = startOf();
console.log('watching');
setInterval(() => {
  try {
    if (startOf() !== started) process.exit();
    const taken = residentMegabytes();
    if (taken <= megabytes) return;
    process.kill(pid, 'SIGKILL');
    console.log(`killed at ${Math.round(taken)} MB`);
  } catch {
    process.exit();
  }
}, POLL_MS);
process.stdin
  .on('end', () => {
    process.kill(pid, 'SIGKILL');
    process.exit();
  })
  .resume();
