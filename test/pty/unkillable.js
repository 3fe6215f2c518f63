// Starts a program, becomes a user who may not kill it, closes it by force and has nothing else to do.
import { openPty } from '../../dist/pty/pty.js';

let hear;
const isOn = new Promise((resolve) => {
  hear = resolve;
});
const pty = await openPty({
  program: '/bin/sh',
  // It has to outlive its terminal.
  args: ['-c', "trap '' HUP; echo on; while :; do sleep 1; done"],
  cwd: '/',
  env: { PATH: process.env.PATH },
  cols: 80,
  rows: 24,
  onOutput: hear,
});
await isOn;
process.setuid(65_534);
const { survivors } = await pty.close({ graceMs: 0, force: true });
console.log(JSON.stringify({ pid: pty.pid, survivors }));
