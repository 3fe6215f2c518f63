/**
 * Runs one scenario in a namespace of its own: without a network but loopback, with an empty home, empty
 * temporary and runtime folders and its own processes. So a client reaches nobody and nothing is left.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './install.js';

/** In the temporary folder of the namespace, which is in memory. */
export const HOME = '/tmp/home';

const bubblewrap = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
  ...['--tmpfs', '/run/user', '--ro-bind', root, root, '--dir', HOME, '--chdir', HOME],
  ...['--unshare-net', '--unshare-pid', '--die-with-parent', '--new-session'],
];

/** Returns what came of it: `outcome` as in outcome.js, and `detail`. */
export const runEnclosed = (client, scenario, { limitMs, log }) =>
  new Promise((resolve) => {
    const script = join(root, 'scripts/clients/run-scenario.js');
    const program = [process.execPath, script, client.name, scenario];
    const logged = log ? ['--bind', dirname(log), dirname(log), '--setenv', 'MODEL_LOG', log] : [];
    const child = spawn('bwrap', [...bubblewrap, ...logged, ...program], {
      env: {
        PATH: process.env.PATH,
        HOME,
        LANG: 'C.UTF-8',
        SHELL: '/bin/bash',
        TERM: 'xterm-256color',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    let outcome;
    let printed = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{"outcome"')) outcome = JSON.parse(line);
    });
    child.stderr.on('data', (chunk) => {
      printed += chunk;
    });
    child.once('error', (error) =>
      resolve({ outcome: 'FAILED', detail: `bwrap: ${error.message}` }),
    );
    child.once('close', () => {
      clearTimeout(timer);
      const detail = printed.trim().slice(-500) || `no end after ${limitMs / 1000} s`;
      resolve(outcome ?? { outcome: 'FAILED', detail });
    });
  });
