// Everything is awaited here and nothing else keeps Node alive, as vitest would.
import { closeSync, openSync } from 'node:fs';
import { openPipes } from '../../dist/pty/pipes.js';
import { openPty } from '../../dist/pty/pty.js';

const common = { cwd: '/', env: { PATH: process.env.PATH }, cols: 80, rows: 24, onOutput() {} };
const sh = (open, command) =>
  open({ ...common, program: '/bin/sh', args: ['-c', command], input: 'null' });

for (let at = 0; at < 50; at++) {
  const pipes = await sh(openPipes, 'echo hi');
  await pipes.exited;
  await pipes.close();
}

const silent = await sh(openPipes, 'exec >&- 2>&-; sleep 0.2; exit 3');
await silent.exited;
await silent.close();

const paused = await sh(openPty, 'echo hi');
paused.pause();
setTimeout(() => paused.resume(), 200).unref();
await paused.exited;
await paused.close();

// Without a descriptor to look with, closing says so, and can be tried again.
const session = await sh(openPty, 'sleep 1000');
const taken = [];
try {
  for (;;) taken.push(openSync('/dev/null'));
} catch {}
const { code } = await session.close().catch((error) => error);
if (code !== 'EMFILE') throw new Error(`closed with ${code}`);
for (const fd of taken) closeSync(fd);
await session.close();

console.log('done');
