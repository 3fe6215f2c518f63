// Runs a program to its end in a worker thread and posts what came of it.
import { parentPort } from 'node:worker_threads';
import { openPty } from '../../dist/pty/pty.js';

let bytes = 0;
const pty = await openPty({
  program: '/bin/sh',
  args: ['-c', 'seq 1 100000; exit 3'],
  cwd: '/',
  env: { PATH: process.env.PATH },
  cols: 80,
  rows: 24,
  onOutput(chunk) {
    bytes += chunk.length;
  },
});
const exit = await pty.exited;
const { survivors } = await pty.close();
parentPort.postMessage({ exit, bytes, survivors });
