/**
 * Compiles a regular expression in a process of its own, before this one dares to.
 *
 * V8 cannot be stopped while it compiles, neither by the time limit of node:vm nor by ending a worker
 * thread: 15 times "(?:\b)" held up both for over a second, each further one doubles that, and 31 of
 * them ran out of memory, which ends the whole process. A child can be killed, and compiling
 * takes here what it took there. It costs the start of a node, 35 ms.
 */
import { spawn } from 'node:child_process';

export type Trial = { ok: true } | { ok: false; reason: string; position: number } | 'too slow';

/** From when the child has started, which alone can take long on a busy machine. */
export const COMPILE_LIMIT_MS = 500;

export function tryCompiling(source: string, flags: string): Promise<Trial> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', script, JSON.stringify([source, flags])], {
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    let deadline: NodeJS.Timeout | undefined;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      deadline ??= setTimeout(() => child.kill('SIGKILL'), COMPILE_LIMIT_MS);
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(deadline);
      const answer = output.split('\n')[1];
      resolve(answer ? JSON.parse(answer) : 'too slow');
    });
  });
}

// V8 compiles at the first use, once for texts of one byte and once for texts of two, and again, to
// machine code, at the second. It does not say where a pattern is wrong: that is where the last part
// begins that is wrong in just that way.
const script = String.raw`
const { writeSync } = require('node:fs');
writeSync(1, 'started\n');
const [source, flags] = JSON.parse(process.argv[1]);
const reasonOf = (text) => {
  try {
    new RegExp(text, flags);
  } catch ({ message }) {
    return message.slice(message.lastIndexOf(': ') + 2);
  }
};
const reason = reasonOf(source);
let end = source.length;
if (reason === undefined) {
  const regexp = new RegExp(source, flags);
  for (const text of ['a', 'a', '\u2713', '\u2713']) regexp.test(text);
} else {
  while (end > 1 && reasonOf(source.slice(0, end - 1)) === reason) end--;
}
const ok = reason === undefined;
writeSync(1, JSON.stringify(ok ? { ok } : { ok, reason, position: end - 1 }) + '\n');
`;
