/**
 * How long does a command take from a shell, all in all: a process that starts, asks, prints, ends?
 *
 * Beside it tmux, whose `capture-pane` shows what is there at that moment, whether or not the answer
 * has come; and Node itself, which is most of our time.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Args, median, numberFlag, quantile, type Report } from './report/report.ts';

const MAIN = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));

interface Took {
  ms: number;
  firstByteMs: number;
  output: string;
}

const time = (command: readonly string[], env: NodeJS.ProcessEnv): Promise<Took> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const [program = '', ...args] = command;
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let firstByteMs = Number.NaN;
    const hear = (chunk: Buffer) => {
      if (Number.isNaN(firstByteMs)) firstByteMs = performance.now() - started;
      output += chunk;
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', reject);
    child.on('close', () => resolve({ ms: performance.now() - started, firstByteMs, output }));
  });

export const run = async (args: Args): Promise<Report> => {
  const runs = numberFlag(args, 'runs', 30);
  const folder = mkdtempSync(join(tmpdir(), 'repartee-bench-'));
  const socket = join(folder, 'tmux');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    XDG_RUNTIME_DIR: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    REPARTEE_SOCKET: '',
    TMUX: '',
    SHELL: '/bin/bash',
    HOME: folder,
    // With it Node reads a file of certificates before it does anything else: 60 ms that are not ours.
    NODE_EXTRA_CA_CERTS: '',
  };
  const repartee = (...words: string[]) => time([process.execPath, MAIN, ...words], env);
  const tmux = (...words: string[]) =>
    time(['tmux', '-S', socket, '-f', '/dev/null', ...words], env);
  const hasTmux = spawnSync('tmux', ['-V']).status === 0;

  const contenders: Record<string, (n: number) => Promise<Took>> = {
    'node, doing nothing': () => time([process.execPath, '-e', ''], env),
    'repartee ls': () => repartee('ls'),
    'repartee send, to bash': (n) => repartee('send', 'bash', `echo $((${n} + 1))`),
    'repartee send, to python3': (n) => repartee('send', 'py', `${n} + 1`),
    'repartee run, in a fresh shell': (n) => repartee('run', '--', `echo $((${n} + 1))`),
  };
  if (hasTmux) {
    contenders['tmux send-keys, then capture-pane'] = async (n) => {
      const typed = await tmux('send-keys', '-t', 'bench', `echo $((${n} + 1))`, 'Enter');
      const seen = await tmux('capture-pane', '-p', '-t', 'bench');
      return {
        ms: typed.ms + seen.ms,
        firstByteMs: typed.ms + seen.firstByteMs,
        output: seen.output,
      };
    };
  }

  try {
    await repartee('open', '--name', 'bash');
    await repartee('open', '--name', 'py', '--', 'python3', '-q');
    if (hasTmux) await tmux('new-session', '-d', '-s', 'bench', 'bash --norc');
    const samples: Record<string, Took[]> = {};
    const answered: Record<string, number> = {};
    // One after the other in turn, so that a busy moment is everybody's.
    for (let n = 0; n < runs; n++) {
      for (const [name, go] of Object.entries(contenders)) {
        const took = await go(n);
        samples[name] = [...(samples[name] ?? []), took];
        const isThere = new RegExp(`^${n + 1}$`, 'm').test(took.output);
        answered[name] = (answered[name] ?? 0) + Number(isThere);
      }
    }
    const inAll = (name: string) => median((samples[name] ?? []).map(({ ms }) => ms));
    const firstByte = (name: string) =>
      median((samples[name] ?? []).map(({ firstByteMs }) => firstByteMs));
    const typing = Object.keys(contenders).filter((name) => /send|run/.test(name));
    return {
      question: 'How long does a command take from a shell, all in all?',
      rows: Object.entries(samples).map(([name, took]) => ({
        command: name,
        runs: took.length,
        'median ms': inAll(name),
        'p95 ms': quantile(
          took.map(({ ms }) => ms),
          0.95,
        ),
        'to the first byte ms': Number.isNaN(firstByte(name)) ? '' : firstByte(name),
        'has the answer': typing.includes(name) ? `${answered[name]} of ${took.length}` : '',
      })),
      claims: [
        { claim: 'send takes 200 ms at most', holds: inAll('repartee send, to bash') <= 200 },
        { claim: 'ls takes 150 ms at most', holds: inAll('repartee ls') <= 150 },
        { claim: 'ls says something within 120 ms', holds: firstByte('repartee ls') <= 120 },
        {
          claim: 'send has the answer every time',
          holds: ['repartee send, to bash', 'repartee send, to python3'].every(
            (name) => answered[name] === runs,
          ),
        },
      ],
    };
  } finally {
    await repartee('daemon', 'stop');
    if (hasTmux) await tmux('kill-server');
    // tmux's shell may still be writing its history.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
};
