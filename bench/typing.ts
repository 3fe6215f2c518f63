/** Does a large input to a slow reader arrive whole, and does Node stay responsive meanwhile? */
import { createHash } from 'node:crypto';
import { openPty } from '../src/system/terminal/pty.ts';
import { type Args, numberFlag, type Report } from './report/report.ts';

const slowReader = `
import hashlib, os, sys, time, tty
tty.setraw(0)
print("ready", flush=True)
digest, left = hashlib.sha256(), int(sys.argv[1])
while left:
    chunk = os.read(0, min(left, 4096))
    left -= len(chunk)
    digest.update(chunk)
    time.sleep(0.002)
print(digest.hexdigest(), flush=True)
`;

/** A program whose output can be waited for. */
const open = async (program: string, args: string[]) => {
  let text = '';
  let check = () => {};
  const pty = await openPty({
    program,
    args,
    cwd: '/',
    env: { PATH: `/usr/bin:${process.env.PATH}` },
    cols: 80,
    rows: 24,
    onOutput(chunk) {
      text += chunk.toString();
      check();
    },
  });
  const see = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      check = () => {
        const found = pattern.exec(text)?.[0];
        if (found !== undefined) resolve(found);
      };
      check();
    });
  return { pty, see };
};

/** The longest time that passed between two turns of the event loop while the work was done. */
const longestStallMs = async (work: Promise<unknown>): Promise<number> => {
  let longest = 0;
  let last = performance.now();
  let done = false;
  void work.finally(() => {
    done = true;
  });
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  return longest;
};

export const run = async (args: Args): Promise<Report> => {
  const bytes = Buffer.alloc(numberFlag(args, 'bytes', 1_000_000), 'The quick brown fox. ');
  const right = createHash('sha256').update(bytes).digest('hex');

  const stuck = await open('sh', ['-c', 'stty raw; echo ready; exec sleep 1000']);
  await stuck.see(/ready/);
  const never = stuck.pty.write(bytes).catch(() => 'refused');

  const slow = await open('python3', ['-c', slowReader, String(bytes.length)]);
  // Not before: Python's setraw discards what was typed until then.
  await slow.see(/ready/);
  const started = performance.now();
  const typed = slow.pty.write(bytes);
  const answer = slow.see(/[0-9a-f]{64}/);
  const stall = await longestStallMs(answer);
  const tookMs = performance.now() - started;
  await typed;
  const arrived = (await answer) === right;
  await slow.pty.close();
  await stuck.pty.close();
  await never;
  return {
    question: 'Does a large input to a slow reader arrive whole, while Node stays responsive?',
    rows: [{ bytes: bytes.length, arrived, 'took ms': tookMs, 'longest stall ms': stall }],
    claims: [
      { claim: 'every byte arrives, beside a program that never reads', holds: arrived },
      { claim: 'the longest stall is under 50 ms', holds: stall < 50 },
    ],
  };
};
