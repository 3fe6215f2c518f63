// Owns a terminal and waits to be killed. argv: a shell command. Prints the pid and the terminal.
import { openPty } from '../../dist/pty/pty.js';

let told = false;
const pty = await openPty({
  program: '/bin/bash',
  args: ['--norc', '-i'],
  cwd: '/',
  env: { PATH: process.env.PATH, PS1: '$ ' },
  cols: 80,
  rows: 24,
  onOutput(chunk) {
    if (told || !/on=\d/.test(chunk.toString())) return;
    told = true;
    console.log(JSON.stringify({ pid: pty.pid, path: pty.path }));
  },
});
await pty.write(`${process.argv[2]}\r`);
