/**
 * What does a flood cost, from the terminal through history and screen to a text that can be read?
 *
 * `cat` of numbered lines: read and thrown away, read into a screen with a reader waiting, and in
 * tmux, in turns. `--mb 100 --rounds 9`.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Screen } from '../src/screen/screen.ts';
import { openPty } from '../src/system/terminal/pty.ts';
import { type TextView, TextViewReader } from '../src/views/text.ts';
import { type Args, median, numberFlag, type Report } from './report/report.ts';

const size = { cols: 120, rows: 40 };
const lineAt = (at: number) => `line ${at} of a flood of numbered lines`;

export const run = async (args: Args): Promise<Report> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-flood-'));
  const file = join(folder, 'lines');
  const total = writeLines(file, numberFlag(args, 'mb', 100) * 1e6);
  const rounds = numberFlag(args, 'rounds', 9);
  const speeds = { thrownAway: [] as number[], repartee: [] as number[], tmux: [] as number[] };
  let last: Awaited<ReturnType<typeof intoScreen>> | undefined;
  try {
    for (let round = 0; round < rounds; round++) {
      speeds.thrownAway.push(await read(file, () => {}));
      last = await intoScreen(file);
      speeds.repartee.push(last.speed);
      speeds.tmux.push(inTmux(file, join(folder, 'socket'), total.bytes));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { view, readMs, screen, peakMb } = last!;
  const share = median(speeds.repartee.map((speed, at) => speed / speeds.thrownAway[at]!));
  const row = (what: string, samples: readonly number[]) => ({
    what,
    rounds: samples.length,
    'MB/s median': median(samples),
    'MB/s least': Math.min(...samples),
    'MB/s most': Math.max(...samples),
  });
  return {
    question: 'What does a flood cost?',
    rows: [
      row('read and thrown away', speeds.thrownAway),
      row('history, screen and text', speeds.repartee),
      row('tmux', speeds.tmux),
    ],
    claims: [
      {
        claim: `${share.toFixed(3)} of the speed of throwing away is at least 0.9`,
        holds: share >= 0.9,
      },
      { claim: 'faster than tmux', holds: median(speeds.repartee) > median(speeds.tmux) },
      textClaim(view, total.lines, readMs),
      {
        claim: `memory grew by at most ${peakMb.toFixed(1)} MB at any moment; the bound is 24 MB`,
        holds: peakMb <= 24,
      },
      {
        claim: `${((100 * screen.skippedBytes) / screen.position).toFixed(1)} % of the bytes were skipped`,
        holds: screen.skippedBytes > 0,
      },
    ],
  };
};

function writeLines(file: string, bytes: number): { lines: number; bytes: number } {
  const descriptor = openSync(file, 'w');
  let lines = 0;
  let written = 0;
  while (written < bytes) {
    const part = Array.from({ length: 10_000 }, (_, at) => `${lineAt(lines + at)}\n`).join('');
    written += writeSync(descriptor, part);
    lines += 10_000;
  }
  closeSync(descriptor);
  return { lines, bytes: written };
}

/** Megabytes a second, as the terminal counts them: each line feed comes with a carriage return. */
async function read(file: string, onOutput: (bytes: Uint8Array) => void): Promise<number> {
  let bytes = 0;
  const start = performance.now();
  const pty = await openPty({
    program: '/bin/cat',
    args: [file],
    cwd: '/',
    env: {},
    ...size,
    onOutput(part) {
      bytes += part.length;
      onOutput(part);
    },
  });
  await pty.ended;
  const seconds = (performance.now() - start) / 1000;
  await pty.close();
  return bytes / 1e6 / seconds;
}

async function intoScreen(file: string) {
  globalThis.gc?.();
  const before = memory();
  const screen = new Screen(size);
  const reader = new TextViewReader(screen);
  let peak = 0;
  let parts = 0;
  const start = performance.now();
  await read(file, (bytes) => {
    screen.write(bytes);
    if (parts++ % 512 === 0) peak = Math.max(peak, memory() - before);
  });
  // Asked where its cursor is, the screen parses what it had put off.
  void screen.cursor;
  const seconds = (performance.now() - start) / 1000;
  const reading = performance.now();
  const view = reader.read();
  const readMs = performance.now() - reading;
  peak = Math.max(peak, memory() - before);
  return { speed: screen.position / 1e6 / seconds, view, readMs, screen, peakMb: peak / 1e6 };
}

/** What is held: objects and buffers. Resident memory also counts what the collector has not returned. */
const memory = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

function inTmux(file: string, socket: string, bytes: number): number {
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args]);
  const start = performance.now();
  const { cols, rows } = size;
  const command = `cat ${file}; tmux -S ${socket} wait-for -S done`;
  tmux('new-session', '-d', '-x', String(cols), '-y', String(rows), command);
  tmux('wait-for', 'done');
  const seconds = (performance.now() - start) / 1000;
  try {
    tmux('kill-server');
  } catch {
    // It ends by itself when its last session does.
  }
  return bytes / 1e6 / seconds;
}

function textClaim(
  { lines, gone }: TextView,
  total: number,
  readMs: number,
): Report['claims'][number] {
  const before = gone?.before ?? lines.length;
  const missing = gone?.lines ?? 0;
  const isTrue = lines.every(({ text }, at) => text === lineAt(at < before ? at : at + missing));
  const claim = `the text has the first ${before} and the last ${lines.length - before} of ${total} lines, and says that ${missing} are gone (read in ${readMs.toFixed(0)} ms)`;
  return { claim, holds: isTrue && lines.length + missing === total };
}
