/** tmux on a socket of its own: keys in, a fixed wait, the pane out; again until it shows what is hoped for. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { now } from '../clock.ts';
import { debianPackage } from '../installed.ts';
import { type Answer, type Conversation, type Expected, PASSWORD, type Peer } from '../peer.ts';
import { answerIn, lookUntil } from '../polling.ts';

/** What agents and tutorials write between send-keys and capture-pane. */
const FIXED_WAIT_MS = 1000;

/** All of 100,000 lines, and panes that stay to be looked at. */
const SETTINGS = `
set -g history-limit 200000
set -g remain-on-exit on
set -g exit-empty off
set -g default-shell /bin/bash
`;

const execute = promisify(execFile);

export const tmux: Peer = {
  name: 'tmux',
  how: '`send-keys`, a wait of 1 s, `capture-pane`; again until the prompt it was told is there',
  install: () => debianPackage('tmux'),
  start: async ({ home, env, keep }) => {
    const settings = join(home, 'tmux.conf');
    writeFileSync(settings, SETTINGS);
    const socket = join(home, 'tmux.sock');
    let at = now();
    let sessions = 0;
    const tmux = async (...args: string[]): Promise<string> => {
      const { stdout } = await execute('tmux', ['-S', socket, '-f', settings, ...args], {
        env: { ...env, HOME: home },
        maxBuffer: 64 * 2 ** 20,
      });
      at = now();
      keep(['tmux', ...args], stdout);
      return stdout;
    };

    const look = async (name: string, want: 'all' | 'end') => {
      // First whether it has ended: what is captured after that is all there is.
      const dead = await tmux('display-message', '-p', '-t', name, '#{pane_dead}');
      const from = want === 'all' ? ['-S', '-'] : [];
      const text = await tmux('capture-pane', '-p', '-J', ...from, '-t', name);
      return { text: text.replace(/\n+Pane is dead[^\n]*\n*$/, '\n'), exited: dead.trim() === '1' };
    };

    const begin = async (command: string): Promise<string> => {
      const name = `s${++sessions}`;
      await tmux('new-session', '-d', '-s', name, '-x', '120', '-y', '40', command);
      return name;
    };

    const until = async (
      name: string,
      seenLines: number,
      typed: string,
      expected: Expected,
      limitMs: number,
      want: 'all' | 'end' = 'all',
    ): Promise<Answer & { lines: number }> => {
      const pace = { everyMs: FIXED_WAIT_MS, limitMs, waitFirst: true };
      const seen = await lookUntil(() => look(name, want), expected, pace);
      const lines = seen.text.trimEnd().split('\n');
      // A person sees where the new begins: below the line that was typed into.
      const fresh = lines.slice(Math.max(0, seenLines - 1)).join('\n');
      const text = answerIn(fresh, typed, expected);
      const told = seen.state === 'waiting';
      return { text, state: seen.state, at, told, lines: lines.length };
    };

    const conversation = async (
      name: string,
      expected: Expected,
      limitMs: number,
    ): Promise<Conversation> => {
      let { lines, ...first } = await until(name, 0, '', expected, limitMs);
      const type = async (keys: string[], typed: string, next: Expected, limit: number) => {
        await tmux('send-keys', '-t', name, ...keys);
        const { lines: seen, ...answer } = await until(name, lines, typed, next, limit);
        lines = seen;
        return answer;
      };
      return {
        first,
        say: (line, next, limit) => type([line, 'Enter'], line, next, limit),
        press: (strokes, next, limit) => {
          const keys = strokes.map((stroke) => ('key' in stroke ? stroke.key : stroke.text));
          return type(keys, '', next, limit);
        },
        saySecret: (next, limit) => type([PASSWORD, 'Enter'], '', next, limit),
        close: async () => {
          await tmux('kill-session', '-t', name);
        },
      };
    };

    return {
      async run(command, limitMs, want = 'all') {
        const shell = { prompt: 'ready> ' };
        const name = await begin(`PS1='ready> ' exec bash --norc`);
        await until(name, 0, '', shell, limitMs);
        await tmux('send-keys', '-t', name, '-l', command);
        await tmux('send-keys', '-t', name, 'Enter');
        const { lines: _, ...answer } = await until(name, 0, command, shell, limitMs, want);
        await tmux('kill-session', '-t', name);
        // The prompt of the shell is back.
        return { ...answer, state: answer.state === 'waiting' ? 'exited' : answer.state };
      },
      open: async (command, expected, limitMs) =>
        conversation(await begin(command), expected, limitMs),
      serve: async (command, line, limitMs) =>
        conversation(await begin(command), { prompt: line }, limitMs),
      async stop() {
        await tmux('kill-server').catch(() => undefined);
      },
    };
  },
};
