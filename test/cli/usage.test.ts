import { describe, expect, test } from 'vitest';
import { allCommands, commands } from '../../src/cli/commands.ts';
import { milliseconds } from '../../src/cli/usage.ts';
import { ownCli } from './own-cli.ts';

describe('times', () => {
  test.each([
    ['300ms', 300],
    ['5s', 5000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['0', 0],
  ])('%s is %i milliseconds', (text, ms) => {
    expect(milliseconds('--timeout', text)).toBe(ms);
  });

  test.each(['5', '-1s', 's', '', '5 s', '1d', 'Infinity'])('"%s" is none', (text) => {
    expect(() => milliseconds('--timeout', text)).toThrow('a time has a unit');
  });
});

describe('help', () => {
  test('every command has the name it is found by, a summary, and options that its usage names', async () => {
    const all = await allCommands();
    expect(all.map(({ name }) => name)).toEqual(Object.keys(commands));
    for (const { name, summary, usage, options = {}, examples = [] } of all) {
      expect(summary, name).toMatch(/^[a-z].*[^.]$/i);
      const flags = Object.keys(options).flatMap((option) => option.match(/--[a-z-]+/g) ?? []);
      for (const flag of flags) expect(usage, name).toContain(flag);
      for (const flag of usage.match(/--[a-z][a-z-]+/g) ?? []) expect(flags, name).toContain(flag);
      for (const [line] of examples) expect(line, name).toContain('repartee');
    }
  });

  test('is printed for the whole and for each command, with examples', async () => {
    const cli = ownCli();
    const { code, stdout } = await cli.run('--help');
    expect(code).toBe(0);
    for (const name of Object.keys(commands))
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    const send = await cli.run('send', '--help');
    expect(send.stdout).toContain('Usage: repartee send NAME');
    expect(send.stdout).toContain("repartee send py 'print(1)'");
    expect((await cli.run('help', 'send')).stdout).toBe(send.stdout);
  });

  test('of a command that is run is left to it', async () => {
    expect((await ownCli().run('run', '--', 'echo', '--help')).stdout).toBe('--help\n');
  });

  test('a misspelt command is told the nearest one', async () => {
    const { code, stderr } = await ownCli().run('opne');
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "open"?');
  });
});
