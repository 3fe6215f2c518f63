import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { detach } from '../../helpers/cli/attached.ts';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { personInTmux } from '../../helpers/cli/tmux.ts';
import { testWith } from '../../helpers/needs.ts';
import { until } from '../../helpers/until.ts';

/** Reads a password key by key and shows stars, then a line as any program does. */
const asking = `import os, termios, tty
before = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, b"Password: ")
while os.read(0, 1) != b"\\r":
    os.write(1, b"*")
termios.tcsetattr(0, termios.TCSANOW, before)
print("\\r\\nWelcome")
input("Name: ")
print("Done")
input()`;

testWith('tmux', 'python3')(
  'a password that a person types where stars are shown is not in the recording',
  async () => {
    const cli = ownCli();
    await using sessions = await cli.daemon.connect();
    await sessions.open({ command: ['python3', '-c', asking], name: 'it', record: true });
    const [{ recording = '' } = {}] = await sessions.list();
    const person = await personInTmux(cli.env);
    await person.enter('repartee attach it');
    await person.sees(/^Password:/);
    await person.enter('Pa55-word-xyz');
    await person.sees(/^Name:/);
    await person.enter('Ada');
    await person.sees(/^Done$/);
    await detach(person);
    const inputs = () =>
      [...readFileSync(recording, 'utf8').matchAll(/^\[[\d.]+, ?"i", ?(.*)\]$/gm)]
        .map(([, text]) => JSON.parse(text!))
        .join('');
    await until('the name is recorded', () => inputs().includes('Ada'));
    expect(readFileSync(recording, 'utf8')).not.toMatch(/Pa55|word-|xyz/);
    // Nor letter by letter.
    expect(inputs().replaceAll(/[^\w-]/g, '')).toBe('Ada');
  },
);
