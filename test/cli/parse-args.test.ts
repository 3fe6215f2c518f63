import { describe, expect, expectTypeOf, test } from 'vitest';
import { defineCommand } from '../../src/cli/command.ts';
import { commandLoaders, loadAllCommands } from '../../src/cli/command-list.ts';
import { completionScripts } from '../../src/cli/completion/completion-scripts.ts';
import { commandHelp, usageLine } from '../../src/cli/output/help.ts';
import { parseDuration, parseWholeNumber, UsageError } from '../../src/cli/parse-args.ts';
import { ownCli } from '../helpers/cli/own-cli.ts';

describe('times', () => {
  test.each([
    ['300ms', 300],
    ['5s', 5000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['0', 0],
  ])('%s is %i milliseconds', (text, ms) => {
    expect(parseDuration('--timeout', text)).toBe(ms);
  });

  test('longer than a timer can take is too long', () => {
    expect(() => parseDuration('--timeout', '600h')).toThrow('--timeout 600h: at most 24 days');
  });

  test('a negative time is called negative', () => {
    expect(() => parseDuration('--timeout', '-1s')).toThrow(
      '--timeout -1s: a time is not negative',
    );
  });

  test.each(['5', 's', '', '5 s', '1d', 'Infinity'])('"%s" is not a time', (text) => {
    expect(() => parseDuration('--timeout', text)).toThrow('a time has a unit');
  });
});

describe('a wrong command line', () => {
  const usageError = async (name: string, ...args: string[]): Promise<string> => {
    const command = await commandLoaders[name]!();
    const error: unknown = await command.run(args).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  };

  test.each([
    [['send', 'x', '--timout', '5s'], 'There is no option --timout. Did you mean --timeout?'],
    [['open', '--name', 'json', '--frob'], 'There is no option --frob.'],
    [['close', 'x', '--fore'], 'There is no option --fore. Did you mean --force?'],
    [['send', 'x', '-y'], 'What begins with a dash and is no option comes after --.'],
    [['ls', '--quux'], 'There is no option --quux. --help lists them.'],
    [['ls', 'x'], '"x" is one word too many.'],
    [['ls', '--json=1'], '--json takes no value.'],
    [['open', '--name'], '--name needs a value.'],
    [['send', 'x', '--keys', '--json'], '--keys needs a value.'],
    [['open', '--cols', '-5'], 'One that begins with a dash is written --cols=-5.'],
    [['send', 'x', 'y', '--secret', 'z'], 'A secret is typed alone'],
    [['mcp', '--token-file', '/x'], 'say --http as well'],
    [['completion', 'bash', 'zsh'], 'For which shell'],
    [['resize', 'x'], 'Give a session and a size.'],
  ])('%j: our own message says what is wrong', async ([name, ...args], message) => {
    expect(await usageError(name!, ...args)).toContain(message);
  });

  test('only commands that take text allow it to begin with a dash', async () => {
    for (const name of ['read', 'close', 'attach', 'resize'])
      expect(await usageError(name, 'x', '-y')).toBe('There is no option -y. --help lists them.');
  });

  test.each([
    ['open', '--name', '--cwd', '--env', '--cols', '--rows', '--shell', '--timeout'],
    ['send', '--keys', '--secret', '--until', '--match', '--timeout'],
    ['read', '--from', '--search'],
    ['wait', '--until', '--match', '--timeout'],
    ['replay', '--speed', '--idle-limit'],
    ['mcp', '--dialect', '--http', '--token-file'],
    ['skill', '--dialect'],
  ])('%s: no option takes an empty value', async (name, ...flags) => {
    for (const flag of flags)
      expect(await usageError(name, `${flag}=`)).toBe(`${flag} needs a value, and got none.`);
  });

  test('2 is also for values that only the engine recognizes as wrong', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'c', '--', 'cat');
    const mistakes = [
      ['INVALID_SIZE', 'open', '--cols', '0'],
      ['UNUSABLE_NAME', 'open', '--name', 'a/b'],
      ['INVALID_SIZE', 'resize', 'c', '0x0'],
      ['UNKNOWN_KEY', 'send', 'c', '--keys', 'Bogus'],
      ['UNTYPABLE_KEY', 'send', 'c', '--keys', 'C-Enter'],
      ['INVALID_PATTERN', 'read', 'c', '--search', '('],
      ['INVALID_PATTERN', 'wait', 'c', '--match', '['],
      ['UNKNOWN_SIGNAL', 'signal', 'c', 'FOO'],
    ];
    for (const [error, ...args] of mistakes) {
      const { code, json } = await cli.run(...args, '--json');
      expect({ code, error: json.error.code }, args.join(' ')).toEqual({ code: 2, error });
    }
    const { stderr } = await cli.run('signal', 'c', 'FOO');
    expect(stderr).toMatch(/There is no signal "FOO".*\nUsage: repartee signal NAME SIG/);
  }, 60_000);
});

describe('help', () => {
  test('every command has the name it is found by, a summary, and examples with its name', async () => {
    const all = await loadAllCommands();
    expect(all.map(({ name }) => name)).toEqual(Object.keys(commandLoaders));
    for (const { name, summary, examples = [] } of all) {
      expect(summary, name).toMatch(/^[a-z].*[^.]$/i);
      for (const [line] of examples) expect(line, name).toContain('repartee');
    }
  });

  test.each(Object.keys(commandLoaders))(
    'every option of %s is in its usage, its help and the completion for each shell',
    async (name) => {
      const all = await loadAllCommands();
      const command = all.find((one) => one.name === name)!;
      for (const [option, { value, description, hidden }] of Object.entries(command.options)) {
        const flag = value === undefined ? `--${option}` : `--${option} ${value}`;
        expect(usageLine(command).includes(flag)).toBe(!hidden);
        if (hidden) continue;
        const help = commandHelp(command).split('\n');
        const described = help.find((line) => line.startsWith(`  ${flag} `));
        expect(described).toContain(description);
        for (const [shell, script] of Object.entries(completionScripts)) {
          const written = shell === 'fish' ? `from ${name}' -l ${option} ` : `--${option}`;
          const lines = script(all).split('\n');
          const ofCommand = lines.filter((line) => shell === 'fish' || line.includes(`${name})`));
          expect(ofCommand.join('\n'), shell).toContain(written);
        }
      }
    },
  );

  test('a new option is in all of them without another edit', async () => {
    const command = defineCommand({
      name: 'brew',
      summary: 'make tea',
      words: [{ usage: 'POT', sessions: true }],
      options: {
        kind: { value: 'K', choices: ['green', 'black'], default: 'green', description: 'which' },
        hot: { group: 'heat', description: 'boil it' },
        cold: { group: 'heat', description: 'leave it' },
        minutes: { value: 'N', multiple: true, parse: parseWholeNumber, description: 'how long' },
      },
      run: async ({ values, words }) => {
        expectTypeOf(values).toEqualTypeOf<{
          kind: 'green' | 'black';
          hot: boolean;
          cold: boolean;
          minutes: number[];
        }>();
        expect({ values, words }).toEqual({
          values: { kind: 'black', hot: true, cold: false, minutes: [3, 5] },
          words: ['big'],
        });
        return 7;
      },
    });
    const args = ['--kind', 'black', 'big', '--minutes=3', '--hot', '--minutes', '5'];
    expect(await command.run(args)).toBe(7);
    expect(usageLine(command)).toBe(
      'Usage: repartee brew POT [--kind K] [--hot|--cold] [--minutes N]…',
    );
    expect(commandHelp(command)).toContain('--kind K     which (default green)');
    await expect(command.run(['--hot', '--cold'])).rejects.toThrow(
      'Give only one of --hot and --cold.',
    );
    await expect(command.run(['--kind', 'red'])).rejects.toThrow('--kind red: say green or black.');
    await expect(command.run(['--kinde', 'x'])).rejects.toThrow('Did you mean --kind?');
  });

  test('is printed for the whole and for each command, with examples', async () => {
    const cli = ownCli();
    const { code, stdout } = await cli.run('--help');
    expect(code).toBe(0);
    for (const name of Object.keys(commandLoaders))
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    const send = await cli.run('send', '--help');
    expect(send.stdout).toContain('Usage: repartee send NAME');
    expect(send.stdout).toContain("repartee send py 'print(1)'");
    expect((await cli.run('help', 'send')).stdout).toBe(send.stdout);
  });

  test('after `run --` is for the command', async () => {
    expect((await ownCli().run('run', '--', 'echo', '--help')).stdout).toBe('--help\n');
  });

  test('after the command of `open` is for the program', async () => {
    expect((await ownCli().run('open', 'echo', '--help')).stdout).toBe('--help\n');
  });

  test('an option in place of a command: the error says where options go', async () => {
    const { code, stderr } = await ownCli().run('--json', 'ls');
    expect(code).toBe(2);
    expect(stderr).toContain('Options come after the command.');
  });

  test('--version and -V print the version, and similar words get a hint', async () => {
    const cli = ownCli();
    for (const option of ['--version', '-V'])
      expect((await cli.run(option)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await cli.run('-v')).stderr).toContain('Did you mean "-V"?');
    expect((await cli.run('version')).stderr).toContain('Did you mean "--version"?');
  });

  test('a misspelt command: the error names the nearest one', async () => {
    const { code, stderr } = await ownCli().run('opne');
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "open"?');
  });
});
