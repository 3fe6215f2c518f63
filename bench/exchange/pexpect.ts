/**
 * pexpect in a conversation with the same program. It is told the answer and the prompt, and to reply to a
 * program that asks where the cursor is: irb, ipython and litecli wait for that.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Partner } from './partners.ts';

/** The same for both: some programs draw all of it. */
export const size = { cols: 80, rows: 24 };

/**
 * Before each exchange both think for up to this long. Without a pause, exchanges on a busy machine keep
 * step with the ticks of the kernel: whether a program gets its turn at once, or always at the next tick,
 * is then decided by chance, for hundreds of exchanges.
 */
export const THINKING_MS = 8;

const script = `
import json, pexpect, random, sys, time
job = json.loads(sys.stdin.readline())
child = pexpect.spawn(job["program"], job["args"], env=job["env"], cwd="/", encoding="utf-8", dimensions=(${size.rows}, ${size.cols}))
child.delaybeforesend = None
def expect(text):
    while child.expect_exact([text, "\\x1b[6n"]) == 1: child.send("\\x1b[1;1R")
if job["firstPrompt"]: expect(job["firstPrompt"])
else: time.sleep(1)
print("[]", flush=True)
for line in sys.stdin:
    times = []
    for text, answer, prompt in json.loads(line):
        time.sleep(random.random() * job["thinkingMs"] / 1000)
        start = time.perf_counter()
        child.send(text)
        expect(answer)
        if prompt: expect(prompt)
        times.append((time.perf_counter() - start) * 1000)
    print(json.dumps(times), flush=True)
child.close(force=True)
`;

export interface Pexpect {
  /** How long each exchange took, from the nth on. */
  converse(from: number, count: number): Promise<number[]>;
  /** Resolves when the program has ended, and written down its history. */
  close(): Promise<void>;
}

export const startPexpect = async (
  { program, args, says, answers, prompt }: Partner,
  env: Readonly<Record<string, string>>,
  { firstNumber, thinkingMs }: { firstNumber: number; thinkingMs: number },
): Promise<Pexpect> => {
  const child = spawn('/usr/bin/python3', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (message: object): Promise<number[]> => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`pexpect has lost ${program}`);
    return JSON.parse(value);
  };
  await ask({ program, args, env, thinkingMs, firstPrompt: prompt?.(firstNumber - 1) ?? null });
  return {
    converse: (from, count) =>
      ask(
        Array.from({ length: count }, (_, at) => {
          const n = from + at;
          return [says(n), answers(n), prompt?.(n) ?? null];
        }),
      ),
    close: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
};
