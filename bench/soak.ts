/**
 * Random operations on sessions, for as long as asked, beside a model of what should be alive.
 *
 * At the end nothing may be left: no process, no descriptor, no timer; and memory must not have grown
 * from the second quarter to the last.
 */
import { readdirSync } from 'node:fs';
import { descendants, isDead, readStat } from '../src/pty/process-tree.ts';
import { LocalSessions } from '../src/session/local-sessions.ts';
import { type Args, numberFlag, type Report } from './report.ts';

const MOST_SESSIONS = 20;
/** What a call may be refused with when a program has been killed behind our back. */
const EXPECTED = ['PROGRAM_EXITED', 'SESSION_NOT_FOUND', 'INPUT_NOT_TAKEN'];

const programs: readonly (string | string[])[] = [
  ['bash', '--norc'],
  ['python3', '-q'],
  ['cat'],
  ['less', '/etc/services'],
  'sleep 1000',
  'seq 1 100000; cat',
  'yes | head -c 20000000; cat',
  "trap '' HUP TERM; echo on; while :; do sleep 0.2; done",
  '(sleep 1000 &); cat',
];

const inputs = ['1+1', 'echo hi', 'x'.repeat(2000), 'seq 1 5000', 'é ü 漢字 🎉'];
const keys = ['Enter', 'C-c', 'Up Down', 'q', 'Escape'];

class Soak {
  readonly #sessions = new LocalSessions({ maxSessions: MOST_SESSIONS });
  /** Names of the sessions that must be there. */
  readonly #alive = new Set<string>();
  readonly counts: Record<string, number> = {};
  readonly surprises: string[] = [];

  async step(): Promise<void> {
    const acts = [
      this.#open,
      this.#send,
      this.#send,
      this.#press,
      this.#read,
      this.#resize,
      this.#kill,
      this.#close,
      this.#compare,
    ];
    const act = pick(acts).bind(this);
    const name = act.name.replace(/^bound #/, '');
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    try {
      await act();
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (!EXPECTED.includes(code ?? '')) this.surprises.push(`${name}: ${code} ${message}`);
    }
  }

  async end(): Promise<void> {
    await this.#compare();
    await this.#sessions.closeAll({ graceMs: 100, force: true });
  }

  #any(): string {
    return pick([...this.#alive]) ?? 'none';
  }

  async #open() {
    if (this.#alive.size >= MOST_SESSIONS) return;
    const { session } = await this.#sessions.open({
      command: pick(programs),
      timeoutMs: pick([0, 50, 500]),
    });
    this.#alive.add(session);
  }

  async #send() {
    await this.#sessions.send(this.#any(), { text: pick(inputs), timeoutMs: pick([0, 20, 200]) });
  }

  async #press() {
    await this.#sessions.send(this.#any(), { keys: pick(keys), timeoutMs: pick([0, 20, 200]) });
  }

  async #read() {
    const view = pick(['text', 'screen', 'diff', 'raw'] as const);
    await this.#sessions.read(this.#any(), { view }, { reader: pick(['agent', 'other']) });
  }

  async #resize() {
    await this.#sessions.resize(this.#any(), pick([1, 20, 80, 300]), pick([1, 5, 24, 100]));
  }

  /** Behind the session's back. */
  async #kill() {
    const summary = pick(await this.#sessions.list());
    if (summary === undefined || Math.random() < 0.7) return;
    const pid = pick(descendants(summary.pid));
    const stat = readStat(pid);
    if (stat !== undefined && !isDead(stat) && summary.state !== 'exited')
      process.kill(pid, 'SIGKILL');
  }

  async #close() {
    const name = this.#any();
    await this.#sessions.close(name, { graceMs: pick([0, 100]), force: true });
    this.#alive.delete(name);
  }

  /** Does the model agree with what is? */
  async #compare() {
    const there = (await this.#sessions.list()).map(({ session }) => session).sort();
    const expected = [...this.#alive].sort();
    if (there.join() !== expected.join())
      this.surprises.push(`there: ${there}; expected: ${expected}`);
  }
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;

const descriptors = () => readdirSync('/proc/self/fd').length;
const children = () => descendants(process.pid).length - 1;
const timers = () =>
  process.getActiveResourcesInfo().filter((name) => /Timeout|Immediate/.test(name)).length;
const rssMegabytes = () => {
  global.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
};

export const run = async (args: Args): Promise<Report> => {
  const minutes = numberFlag(args, 'minutes', 10);
  await new Soak().end();
  const before = { descriptors: descriptors(), children: children(), timers: timers() };
  const soak = new Soak();
  const started = performance.now();
  const share = () => (performance.now() - started) / (minutes * 60_000);
  const memory: number[] = [];
  const work = async () => {
    while (share() < 1) {
      await Promise.race([
        soak.step(),
        new Promise((_, reject) => setTimeout(reject, 60_000, new Error('a step hangs')).unref()),
      ]);
      if (share() > memory.length / 4) memory.push(rssMegabytes());
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  await soak.end();
  const after = { descriptors: descriptors(), children: children(), timers: timers() };
  memory.push(rssMegabytes());
  for (const surprise of soak.surprises.slice(0, 20)) console.error(surprise);
  const growth = memory.at(-1)! - memory[2]!;
  return {
    question: `What is left after ${minutes} minutes of random operations?`,
    rows: [
      { what: 'steps', after: Object.values(soak.counts).reduce((sum, count) => sum + count, 0) },
      ...Object.entries(soak.counts).map(([what, after]) => ({ what: `of them ${what}`, after })),
      { what: 'descriptors', before: before.descriptors, after: after.descriptors },
      { what: 'child processes', before: before.children, after: after.children },
      { what: 'timers', before: before.timers, after: after.timers },
      { what: 'memory MB, at half time and at the end', before: memory[2]!, after: memory.at(-1)! },
      { what: 'surprises', after: soak.surprises.length },
    ],
    claims: [
      {
        claim: 'no descriptor, process or timer is left',
        holds:
          after.descriptors <= before.descriptors &&
          after.children <= before.children &&
          after.timers <= before.timers,
      },
      {
        claim: `memory grew by ${growth.toFixed(1)} MB in the second half, at most 20`,
        holds: growth <= 20,
      },
      {
        claim: 'the model agreed with what was, and nothing failed in a way it may not',
        holds: soak.surprises.length === 0,
      },
    ],
  };
};
