/** Programs that are worked with while daemon and keeper are killed, and what must be true of each in the end. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { DaemonSessions } from '../../../src/daemon/client/daemon-sessions.ts';
import { OutcomeUnknown } from '../../../src/errors.ts';
import type { OpenOptions } from '../../../src/session/options/options.ts';
import { until } from '../until.ts';
import { isAlive } from './processes.ts';

/** Printed in two parts, and never to be seen. */
export const SECRET = 'open sesame 4711';

/** A program that is worked with until the end, and then looked at. */
export interface Work {
  name: string;
  begin(sessions: DaemonSessions): Promise<unknown>;
  step(sessions: DaemonSessions, round: number): Promise<void>;
  check(sessions: DaemonSessions): Promise<void>;
  /** Beside its program: must be gone in the end. */
  job?(): number;
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
export const noter = (name: string, folder: string, options: Partial<OpenOptions> = {}): Work => {
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
export const counter = (name: string, pause: string, { tty = true } = {}): Work => {
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
export const shell = (name: string): Work => {
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
    job: () => job,
  };
};

/** Asks for a secret and prints it in two parts, again and again. */
export const teller = (name: string, folder: string): Work => {
  const file = join(folder, name);
  let least = 0;
  let most = 0;
  const script = `while :; do
    stty -echo; printf 'Word: '; read first rest; stty echo; echo got >> ${file}
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
      most++;
      if (await isKnown(sessions.send(name, { secret: 'word', until: 'now' }))) least++;
    },
    check: async (sessions) => {
      const output = await all(sessions);
      expect(output).not.toContain(SECRET);
      expect(output).not.toContain('sesame');
      const typed = () => readFileSync(file, 'utf8').split('\n').length - 1;
      await until('all that was typed is read', () => typed() >= least);
      expect(typed()).toBeLessThanOrEqual(most);
    },
  };
};

/** At its prompt, where nothing must change. */
export const asker = (name: string): Work => ({
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

export const python = (name: string): Work => {
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
export const binaryFlood = (name: string, folder: string): Work => {
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

/** Each word is typed once. */
export const editor = (name: string, folder: string): Work => {
  const file = join(folder, name);
  let least = 0;
  let most = 0;
  return {
    name,
    begin: async (sessions) => {
      await sessions.open({ command: ['vim', '-u', 'NONE', '-N', '-n'], name });
      await sessions.send(name, { keys: 'i', until: 'now' });
    },
    step: async (sessions) => {
      most++;
      const call = sessions.send(name, { text: 'word\n', submit: false, until: 'now' });
      if (await isKnown(call)) least++;
    },
    check: async (sessions) => {
      const { output } = await sessions.read(name, { view: 'screen' });
      expect(output).toContain('word');
      expect(output).toContain('-- INSERT --');
      await sessions.send(name, { keys: 'Escape', until: 'now' });
      await sessions.send(name, { text: `:w ${file}` });
      await until('it is written', () => existsSync(file));
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
      const words = lines.flatMap((line) => line.match(/word/g) ?? []);
      expect(lines.join('')).toBe(words.join(''));
      expect(words.length).toBeGreaterThanOrEqual(least);
      expect(words.length).toBeLessThanOrEqual(most);
      // A word without its Enter was typed by a call of which nobody knows how far it came.
      expect(words.length - lines.length).toBeLessThanOrEqual(most - least);
    },
  };
};

/** Ends again and again, each time with another code. Nobody may be told a wrong one. */
export const ender = (name: string, mayBeLost: () => number): Work => {
  let lost = 0;
  const isThere = async (sessions: DaemonSessions) =>
    (await sessions.list()).some(({ session }) => session === name);
  return {
    name,
    begin: async () => {},
    step: async (sessions, round) => {
      const code = round % 200;
      const command = ['sh', '-c', `sleep 0.${round % 5}; exit ${code}`];
      const isOpened = await isKnown(sessions.open({ command, name, timeoutMs: 0 }));
      if (!isOpened && !(await isThere(sessions))) return;
      const ended = await sessions.wait({ sessions: [name], until: 'exit' });
      expect(ended).toMatchObject({ state: 'exited' });
      if (ended.exitCode === undefined) {
        lost++;
        expect(ended.because).toContain('its exit code is unknown, since both');
      } else expect(ended.exitCode).toBe(code);
      // Each try may be cut off.
      while (!(await isKnown(sessions.close(name)))) if (!(await isThere(sessions))) break;
    },
    check: async (sessions) => {
      expect(await isThere(sessions)).toBe(false);
      expect(lost).toBeLessThanOrEqual(mayBeLost());
    },
  };
};
