/**
 * Compiles a regular expression in a child process first, to see whether it is safe to compile
 * here.
 *
 * V8 cannot be stopped while it compiles, neither by the time limit of node:vm nor by terminating a
 * worker thread. 15 times "(?:\b)" blocked both for over a second, each further one doubles that,
 * and with 31 of them V8 ran out of memory, which ends the whole process. A child can be killed,
 * and compiling takes as long here as it took there. The price is the start of a node process, 35
 * ms.
 */
import { spawn } from 'node:child_process';

export type PatternTrial =
  | { ok: true }
  | { ok: false; reason: string; position: number }
  | 'too slow';

/** Counted after the child has started, because the start alone can take long on a busy machine. */
export const PATTERN_COMPILE_LIMIT_MS = 500;

export function tryCompilingPattern(source: string, flags: string): Promise<PatternTrial> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', script, JSON.stringify([source, flags])], {
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    let deadline: NodeJS.Timeout | undefined;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      deadline ??= setTimeout(() => child.kill('SIGKILL'), PATTERN_COMPILE_LIMIT_MS);
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(deadline);
      const result = output.split('\n')[1];
      resolve(result ? JSON.parse(result) : 'too slow');
    });
  });
}

// V8 compiles at the first use, once for one-byte texts and once for two-byte texts, and again, to
// machine code, at the second use. It does not report the position of an error, so the script looks
// for the shortest prefix that fails with the same error: the error is at its last character.
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
