/** Does every byte arrive? The same programs through us and through node-pty, side by side. */
import { createHash, type Hash } from 'node:crypto';
import { openPty } from '../src/system/terminal/pty.ts';
import { type Args, numberFlag, type Report } from './report/report.ts';
import { nodePty } from './versus/installed.ts';

interface Terminal {
  pause(): void;
  resume(): void;
}

/** Runs a shell command on a terminal to its very end, and calls `seen` with all its output. */
type Library = (
  command: string,
  seen: (chunk: Buffer) => void,
  opened?: (terminal: Terminal) => void,
) => Promise<void>;

const size = { cols: 80, rows: 24 };
const env = { PATH: process.env.PATH };
/** The late writers' terminal is watched this long after the exit, for the benefit of the peer. */
const LATE_MS = 2000;

const ours: Library = async (command, seen, opened) => {
  const args = ['-c', command];
  const pty = await openPty({ program: '/bin/sh', args, cwd: '/', env, ...size, onOutput: seen });
  opened?.(pty);
  await pty.ended;
  await pty.close();
};

const theirs: Library = (command, seen, opened) =>
  new Promise((resolve) => {
    const pty = nodePty().spawn('/bin/sh', ['-c', command], {
      ...size,
      cwd: '/',
      env,
      encoding: null,
    });
    pty.onData(seen);
    opened?.(pty);
    pty.onExit(() => resolve());
  });

const libraries: Record<string, Library> = { repartee: ours, '@lydell/node-pty': theirs };

/** As the terminal shows it: a carriage return before every line feed. */
const expected = (last: number) => {
  const hash = createHash('sha256');
  for (let line = 1; line <= last; line++) hash.update(`${line}\r\n`);
  return hash.digest('hex');
};

const SEQ_LAST = 20_000;
/** `seq 1 7000000`: 62,888,898 bytes on a terminal. */
const FLOOD_LAST = 7_000_000;

interface Tally {
  runs: number;
  lost: number;
  worst: number;
}

export const run = async (args: Args): Promise<Report> => {
  const runs = numberFlag(args, 'runs', 2000);
  const tasks: [task: string, measure: (library: Library) => Promise<Tally>][] = [
    [`seq 1 ${SEQ_LAST}, 16 at a time`, (library) => sequences(library, runs, () => {})],
    ['the same, consumer pausing at random', (library) => sequences(library, runs, pauseAtRandom)],
    ['floods of 63 MB', (library) => floods(library, numberFlag(args, 'floods', 20))],
    ['100 late background jobs', (library) => lateJobs(library, 100)],
  ];
  const rows = [];
  let oursLost = 0;
  for (const [task, measure] of tasks) {
    for (const [name, library] of Object.entries(libraries)) {
      const { runs, lost, worst } = await measure(library);
      rows.push({ task, library: name, runs, 'runs with loss': lost, 'most bytes lost': worst });
      if (library === ours) oursLost += lost;
    }
  }
  return {
    question: 'Does every byte of every program arrive?',
    rows,
    claims: [{ claim: 'repartee loses nothing', holds: oursLost === 0 }],
  };
};

const sequences = async (
  library: Library,
  runs: number,
  opened: (terminal: Terminal) => void,
): Promise<Tally> => {
  const bytes = Buffer.byteLength(
    Array.from({ length: SEQ_LAST }, (_, at) => `${at + 1}\r\n`).join(''),
  );
  const right = expected(SEQ_LAST);
  return tally(runs, 16, async () => {
    const { hash, seen, count } = counter();
    await library(`seq 1 ${SEQ_LAST}`, seen, opened);
    return hash.digest('hex') === right ? 0 : Math.max(1, bytes - count());
  });
};

const floods = async (library: Library, runs: number): Promise<Tally> => {
  const right = expected(FLOOD_LAST);
  return tally(runs, 1, async () => {
    const { hash, seen, count } = counter();
    await library(`seq 1 ${FLOOD_LAST}`, seen);
    return hash.digest('hex') === right ? 0 : Math.max(1, 62_888_898 - count());
  });
};

const lateJobs = (library: Library, runs: number): Promise<Tally> =>
  tally(runs, 25, async () => {
    let text = '';
    const seen = (chunk: Buffer) => {
      text += chunk.toString('latin1');
    };
    const deadline = performance.now() + LATE_MS;
    await library("trap '' HUP; (sleep 0.5; echo late) & echo early", seen);
    while (!text.includes('late') && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return text === 'early\r\nlate\r\n' ? 0 : 13 - text.length;
  });

const tally = async (
  runs: number,
  atOnce: number,
  lostBytes: () => Promise<number>,
): Promise<Tally> => {
  const result: Tally = { runs, lost: 0, worst: 0 };
  let started = 0;
  const work = async () => {
    while (started < runs) {
      started++;
      const bytes = await lostBytes();
      if (bytes !== 0) result.lost++;
      result.worst = Math.max(result.worst, bytes);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return result;
};

const counter = (): { hash: Hash; seen: (chunk: Buffer) => void; count: () => number } => {
  const hash = createHash('sha256');
  let bytes = 0;
  const seen = (chunk: Buffer) => {
    bytes += chunk.length;
    hash.update(chunk);
  };
  return { hash, seen, count: () => bytes };
};

const pauseAtRandom = (terminal: Terminal) => {
  let pauses = Math.ceil(Math.random() * 5);
  const step = () => {
    if (pauses-- === 0) return;
    terminal.pause();
    setTimeout(() => {
      terminal.resume();
      setTimeout(step, Math.random() * 3);
    }, Math.random() * 10);
  };
  step();
};
