/** A person's terminal: tmux with a shell that finds the command line and its daemon. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { until } from '../until.ts';
import { folderWithCli } from './own-cli.ts';

const execFileAsync = promisify(execFile);

export interface Person {
  /** The rows of the window, without blanks at their ends and blank rows at the bottom. */
  window(): Promise<string[]>;
  title(): Promise<string>;
  /** The terminal's modes. */
  modes(): Promise<Record<string, string>>;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names. */
  press(...keys: string[]): Promise<void>;
  resize(cols: number, rows: number): Promise<void>;
  /** Waits until a row of the window has this in it. */
  sees(pattern: RegExp): Promise<void>;
  /** Types a command line and Enter. */
  enter(line: string): Promise<void>;
}

/** The tmux server and all that runs in it end with the test. */
export const personInTmux = async (
  env: NodeJS.ProcessEnv,
  { cols = 90, rows = 25 } = {},
): Promise<Person> => {
  const folder = folderWithCli();
  const socket = join(folder, 'tmux');
  const tmux = async (...args: string[]) => {
    const options = { env: { ...env, PATH: `${folder}:${env.PATH}`, TMUX: '' } };
    return (await execFileAsync('tmux', ['-S', socket, '-f', '/dev/null', ...args], options))
      .stdout;
  };
  const size = ['-x', String(cols), '-y', String(rows)];
  await tmux('new-session', '-d', ...size, "PS1='$ ' exec bash --norc --noprofile");
  onTestFinished(async () => void (await tmux('kill-server')));
  await tmux('set-option', '-g', 'status', 'off');
  // Without the status line the window has one more row.
  await tmux('resize-window', ...size);
  const person: Person = {
    window: async () => {
      const lines = (await tmux('capture-pane', '-p')).split('\n').map((line) => line.trimEnd());
      return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
    },
    title: async () => (await tmux('display-message', '-p', '#{pane_title}')).trimEnd(),
    modes: async () => {
      const names = '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag}';
      const flags = (await tmux('display-message', '-p', names)).trim().split(' ');
      const [alternate = '', cursor = '', mouse = '', keypad = ''] = flags;
      return { alternate, cursor, mouse, keypad };
    },
    type: async (text) => void (await tmux('send-keys', '-l', '--', text)),
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    resize: async (cols, rows) =>
      void (await tmux('resize-window', '-x', String(cols), '-y', String(rows))),
    sees: (pattern) =>
      until(`the window shows ${pattern}`, async () =>
        (await person.window()).some((line) => pattern.test(line)),
      ),
    enter: async (line) => {
      await person.type(line);
      await person.press('Enter');
    },
  };
  await person.sees(/^\$/);
  return person;
};
