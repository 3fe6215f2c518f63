/**
 * Kills the daemon at random moments, sometimes its keeper, and sometimes restarts it, while clients work
 * with many programs. `KILLS=1000` does it more often.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import { OutcomeUnknown } from '../../src/errors.ts';
import type { OpenOptions } from '../../src/session/options/options.ts';
import { environmentSecrets } from '../../src/session/secrets/secret-sources.ts';
import { killKeeperOf, restart, statusOf } from '../helpers/daemon/kept-daemon.ts';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { until } from '../helpers/until.ts';

const KILLS = Number(process.env.KILLS ?? 6);
/** Some kills come before the sessions are restored, most in the middle of work. */
const MAX_LIFE_MS = 1500;
const SECRET = 'open sesame 4711';

/** A program that is worked with until the end, and then looked at. */
interface Work {
  name: string;
  begin(sessions: DaemonSessions): Promise<unknown>;
  step(sessions: DaemonSessions, round: number): Promise<void>;
  check(sessions: DaemonSessions): Promise<void>;
}

/** False if nobody knows whether it was done. */
const isKnown = async (call: Promise<unknown>): Promise<boolean> => {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof OutcomeUnknown) return false;
    throw error;
  }
};

/** Notes each line that it gets in a file: none may come twice, and none be lost. */
const noter = (name: string, folder: string, options: Partial<OpenOptions> = {}): Work => {
  const file = join(folder, name);
  const sent: string[] = [];
  const script = `while read line; do echo "$line" >> ${file}; echo "got $line"; done`;
  return {
    name,
    begin: (sessions) => sessions.open({ command: ['sh', '-c', script], name, ...options }),
    step: async (sessions, round) => {
      const line = `line ${round}`;
      if (await isKnown(sessions.send(name, { text: line }))) sent.push(line);
    },
    check: async (sessions) => {
      await sessions.send(name, { text: 'last', match: 'got last' });
      const noted = readFileSync(file, 'utf8').trim().split('\n');
      expect(new Set(noted).size).toBe(noted.length);
      expect(sent.filter((line) => !noted.includes(line))).toEqual([]);
    },
  };
};

/** Counts, without an end. Whoever reads it must get each number once, and in order. */
const counter = (name: string, pause: string, { tty = true } = {}): Work => {
  let read = '';
  const script = `i=0; while :; do i=$((i+1)); echo $i; ${pause}; done`;
  const readOn = async (sessions: DaemonSessions) => {
    const { output, omitted } = await sessions.read(name, { view: 'raw', maxTokens: 1_000_000 });
    expect(omitted).toBeUndefined();
    read += output;
  };
  return {
    name,
    begin: (sessions) => sessions.open({ command: ['sh', '-c', script], name, tty, timeoutMs: 0 }),
    step: readOn,
    check: async (sessions) => {
      await readOn(sessions);
      const numbers = read.split(/\r?\n/).filter(Boolean).map(Number);
      // The last may be cut in the middle.
      numbers.pop();
      expect(numbers.length).toBeGreaterThan(0);
      const wrong = numbers.findIndex((number, at) => number !== at + 1);
      expect(wrong === -1 ? [] : numbers.slice(wrong - 3, wrong + 3)).toEqual([]);
    },
  };
};

/** A shell with a variable and a job. */
const shell = (name: string): Work => {
  let least = 0;
  let most = 0;
  let job = 0;
  return {
    name,
    begin: async (sessions) => {
      await sessions.open({ command: ['bash', '--norc'], name });
      await sessions.send(name, { text: 'n=0; sleep 10000 & echo "job=$!"' });
      const { output } = await sessions.read(name, { view: 'raw', from: 0 });
      job = Number(/job=(\d+)/.exec(output)![1]);
    },
    step: async (sessions) => {
      const isDone = await isKnown(sessions.send(name, { text: 'n=$((n+1))' }));
      most++;
      if (isDone) least++;
    },
    check: async (sessions) => {
      const { output } = await sessions.send(name, { text: 'echo "n=$n"' });
      const n = Number(/n=(\d+)/.exec(output)![1]);
      expect(n).toBeGreaterThanOrEqual(least);
      expect(n).toBeLessThanOrEqual(most);
      expect(isAlive(job)).toBe(true);
    },
  };
};

/** Asks for a secret and prints it in two parts, again and again. */
const teller = (name: string): Work => {
  const script = `while :; do
    stty -echo; printf 'Word: '; read first rest; stty echo
    printf %s "$first"; sleep 0.01; echo " $rest"
  done`;
  const all = async (sessions: DaemonSessions) => {
    const { output } = await sessions.read(name, { view: 'raw', from: 0, maxTokens: 1e6 });
    return output;
  };
  return {
    name,
    begin: (sessions) => sessions.open({ command: ['sh', '-c', script], name }),
    step: async (sessions) => {
      await isKnown(sessions.send(name, { secret: 'word', until: 'now' }));
    },
    check: async (sessions) => {
      const output = await all(sessions);
      expect(output).not.toContain(SECRET);
      expect(output).not.toContain('sesame');
    },
  };
};

/** At its prompt, where nothing must change. */
const asker = (name: string): Work => ({
  name,
  begin: (sessions) =>
    sessions.open({ command: ['sh', '-c', 'stty -echo; printf "Password: "; read x'], name }),
  step: async (sessions) => {
    await sessions.read(name, { view: 'screen' });
  },
  check: async (sessions) => {
    const { waitingFor, prompt, output } = await sessions.read(name, { view: 'screen' });
    expect({ waitingFor, prompt, output }).toEqual({
      waitingFor: 'secret',
      prompt: 'Password: ',
      output: 'Password:',
    });
  },
});

const python = (name: string): Work => {
  let least = 0;
  let most = 0;
  return {
    name,
    begin: async (sessions) => {
      await sessions.open({ command: ['python3', '-q'], name });
      await sessions.send(name, { text: 'n = 0' });
    },
    step: async (sessions) => {
      const isDone = await isKnown(sessions.send(name, { text: 'n += 1; print("n", n)' }));
      most++;
      if (isDone) least++;
    },
    check: async (sessions) => {
      const { output } = await sessions.send(name, { text: 'print("total", n)' });
      const total = Number(/total (\d+)/.exec(output)?.[1]);
      expect(total).toBeGreaterThanOrEqual(least);
      expect(total).toBeLessThanOrEqual(most);
    },
  };
};

/** Every byte there is, a hundred thousand times for each line that it gets. All of them are counted. */
const binaryFlood = (name: string, folder: string): Work => {
  const bytes = 256 * 400;
  const file = join(folder, name);
  const script = `stty -opost -echo; while read line; do
    perl -e 'print pack("C*", 0..255) x 400'; echo "$line" >> ${file}
  done`;
  return {
    name,
    begin: (sessions) => sessions.open({ command: ['sh', '-c', script], name }),
    step: async (sessions, round) => {
      await isKnown(sessions.send(name, { text: `${round}`, maxTokens: 100 }));
      await delay(100);
    },
    check: async (sessions) => {
      const { position } = await sessions.send(name, { text: 'last', maxTokens: 100 });
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      expect(lines).toEqual([...new Set(lines)]);
      expect(position).toBe(bytes * lines.length);
    },
  };
};

const editor = (name: string): Work => ({
  name,
  begin: async (sessions) => {
    await sessions.open({ command: ['vim', '-u', 'NONE', '-N', '-n'], name });
    await sessions.send(name, { keys: 'i', until: 'now' });
  },
  step: async (sessions) => {
    await isKnown(sessions.send(name, { text: 'word', submit: false, until: 'now' }));
  },
  check: async (sessions) => {
    const { output } = await sessions.read(name, { view: 'screen' });
    expect(output).toContain('word');
    expect(output).toContain('-- INSERT --');
  },
});

test(
  'daemon and keeper are killed at random: no program notices, nothing is lost or done twice',
  async () => {
    const daemon = ownDaemon();
    const secrets = environmentSecrets({ REPARTEE_SECRET_WORD: SECRET });
    const sessions = await daemon.connect({ secrets });
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') console.log(readFileSync(daemon.paths.log, 'utf8'));
      await sessions[Symbol.asyncDispose]();
    });
    const { folder } = daemon;
    const works = [
      ...[1, 2].map((n) => noter(`noter${n}`, folder)),
      noter('unrecorded', folder, { record: false }),
      counter('slow', 'sleep 0.01'),
      counter('quick', ':'),
      noter('piped', folder, { tty: false }),
      counter('slow-pipe', 'sleep 0.01', { tty: false }),
      counter('quick-pipe', '[ $((i % 100)) -gt 0 ] || sleep 0.01', { tty: false }),
      binaryFlood('binary', folder),
      ...[1, 2, 3].map((n) => shell(`shell${n}`)),
      ...[1, 2].map((n) => python(`python${n}`)),
      ...[1, 2].map((n) => asker(`asker${n}`)),
      teller('teller'),
      ...[1, 2].map((n) => editor(`vim${n}`)),
    ];
    for (const work of works) await work.begin(sessions);
    const programs = async () => (await sessions.list()).map(({ session, pid }) => [session, pid]);
    const before = await programs();

    let isOver = false;
    const working = works.map(async ({ name, step }) => {
      for (let round = 0; !isOver; round++) {
        await step(sessions, round).catch((error) => {
          throw new Error(`${name}, round ${round}: ${error.code} ${error.message}`);
        });
        await delay(Math.random() * 20);
      }
    });
    const killDaemon = async () => {
      const { pid } = await statusOf(daemon);
      await delay(Math.random() * MAX_LIFE_MS);
      process.kill(pid, 'SIGKILL');
      await until('it is dead', () => !isAlive(pid));
    };
    const faults = [killDaemon, () => killKeeperOf(daemon), () => restart(daemon)];
    const kill = async () => {
      for (let killed = 0; killed < KILLS; killed++) {
        // Every second time the daemon alone: that is what happens most.
        const fault = killed % 2 === 0 ? 0 : Math.floor(Math.random() * faults.length);
        await delay(Math.random() * MAX_LIFE_MS * Math.min(fault, 1));
        await faults[fault]!();
      }
    };
    await Promise.race([kill(), Promise.all(working)]);
    isOver = true;
    await Promise.all(working);

    expect(await programs()).toEqual(before);
    for (const { name, check } of works)
      await check(sessions).catch((error) => {
        error.message = `${name}: ${error.message}`;
        throw error;
      });
    await sessions.closeAll({ force: true });
    expect(before.filter(([, pid]) => isAlive(Number(pid)))).toEqual([]);
  },
  60_000 + KILLS * 10_000,
);
