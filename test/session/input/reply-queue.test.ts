import { describe, expect, onTestFinished } from 'vitest';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import type { OpenOptions } from '../../../src/session/options/options.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const begin = async (options: OpenOptions) => {
  const sessions = new LocalSessions();
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0 })));
  const { session } = await sessions.open(options);
  const send = async (text: string) => (await sessions.send(session, { text })).output;
  return { sessions, session, send };
};

/** Each shell with marks, and as a plain program without them. */
const shells: [string, string, OpenOptions][] = [
  ['bash', 'bash', { shell: 'bash', clean: true }],
  ['bash', 'bash without marks', { command: ['bash', '--norc'] }],
  ['zsh', 'zsh', { shell: 'zsh', clean: true }],
  ['zsh', 'zsh without marks', { command: ['zsh', '-f'] }],
  ['fish', 'fish', { shell: 'fish', clean: true }],
  ['fish', 'fish without marks', { command: ['fish', '--no-config'] }],
];
const [marked, unmarked] = shells as [(typeof shells)[0], (typeof shells)[0]];

describe('the reply to a query that no program waits for', () => {
  for (const [program, shell, options] of shells)
    testWith(program)(`is not typed into the next command of ${shell}`, async () => {
      const { send } = await begin(options);
      for (const query of ['\\033[c\\033[6n', '\\033]11;?\\007']) {
        await send(`printf '${query}'`);
        expect(await send('echo it is mine')).toBe('it is mine');
      }
    });

  for (const [, shell, options] of [marked, unmarked])
    testWith('bash', 'cat')(`is not typed into ${shell} if a file contains it`, async () => {
      const folder = folderWith({ log: '\x1b[c\x1b[6n\x1b]11;?\x07'.repeat(60) });
      const { send } = await begin({ ...options, cwd: folder });
      await send('cat log');
      expect(await send('echo it is mine')).toBe('it is mine');
    });

  testWith('cat')('is not typed to a program without a terminal', async () => {
    const { sessions, session } = await begin({ command: ['cat'], tty: false, timeoutMs: 1 });
    await sessions.send(session, { text: 'one\x1b[6n', match: 'one' });
    await sessions.send(session, { text: 'two', match: 'two' });
    const { output } = await sessions.read(session, { view: 'raw', from: 0 });
    expect(output).toBe('one\x1b[6n\ntwo\n');
  });
});

/** Asks where the cursor is before it makes the terminal ready for the reply, as some scripts do. */
const earlyQuery = `
import os, time, tty, termios
before = termios.tcgetattr(0)
os.write(1, b'\\x1b[6n')
time.sleep(0.05)
tty.setcbreak(0)
answer = os.read(0, 20)
termios.tcsetattr(0, termios.TCSANOW, before)
print(answer)
`;

describe('the reply to a query', () => {
  for (const [, shell, options] of [marked, unmarked])
    testWith('bash')(`goes to the script of ${shell} that asks, then reads`, async () => {
      const { send } = await begin(options);
      const ask = String.raw`printf '\033[6n'; IFS= read -rsd R at; printf '%q\n' "$at"`;
      expect(await send(ask)).toMatch(/^\$'\\E\[\d+;1'$/);
    });

  testWith('zsh')('goes to a hook that zsh calls before its prompt', async () => {
    const { send } = await begin({ shell: 'zsh', clean: true });
    await send(
      String.raw`ask() { printf '\033[6n'; read -rsd R at </dev/tty }; precmd_functions+=(ask)`,
    );
    expect(await send('echo $' + '{(q)at}')).toMatch(/\[\d+\\;1$/);
  });

  testWith('bash', 'python3')('waits for a program that is not yet ready for it', async () => {
    const { send } = await begin({ ...marked[2], cwd: folderWith({ 'ask.py': earlyQuery }) });
    expect(await send('python3 ask.py')).toMatch(/^b'\\x1b\[\d+;1R'$/);
    expect(await send('echo it is mine')).toBe('it is mine');
  });
});
