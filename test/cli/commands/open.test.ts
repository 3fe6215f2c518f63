import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const python = testWith('python3');

describe('open', () => {
  python('starts a program and says whose turn it is', async () => {
    const cli = ownCli();
    const { code, json } = await cli.run('open', '--name', 'py', '--json', '--', 'python3', '-q');
    expect(code).toBe(0);
    expect(json).toMatchObject({
      session: 'py',
      state: 'waiting',
      waiting_for: 'line',
      prompt: '>>> ',
      certainty: 'certain',
    });
  });

  test('takes folder, variables, size and shell', async () => {
    const cli = ownCli();
    const folder = folderWith();
    const { stdout, code } = await cli.run(
      ...['open', '--cwd', folder, '--env', 'A=1 2', '--env', 'B=', '--cols', '50', '--rows', '7'],
      ...['--shell', '/bin/sh', 'pwd; echo "$A|$B|$0"; stty size'],
    );
    expect(stdout).toBe(`${folder}\n1 2||/bin/sh\n7 50\n`);
    expect(code).toBe(4);
  });

  test('words are a command line, and words after -- a program and its arguments', async () => {
    const cli = ownCli();
    expect((await cli.run('open', 'echo', '$((1 + 1))', '-x')).stdout).toBe('2 -x\n');
    expect((await cli.run('open', '--', 'echo', '$((1 + 1))')).stdout).toBe('$((1 + 1))\n');
  });

  test('a relative folder is relative to the folder of the caller', async () => {
    const cli = ownCli();
    const { stdout } = await cli.run('open', '--cwd', 'test', '--', 'pwd');
    expect(stdout).toBe(`${join(process.cwd(), 'test')}\n`);
  });

  test('a session has the name of the program that the command line starts', async () => {
    const cli = ownCli();
    const nameOf = async (...command: string[]) =>
      (await cli.run('open', '--json', ...command)).json.session;
    expect(await nameOf('exec cat')).toBe('cat');
    expect(await nameOf('cd / && A="1 2" exec sleep 0')).toBe('sleep');
    expect(await nameOf('--', 'env', 'A=1', 'true')).toBe('true');
  });

  test('refuses its own options after the command, and says where they go', async () => {
    const { code, stderr } = await ownCli().run('open', 'cat', '--name', 'x');
    expect(code).toBe(2);
    expect(stderr).toContain('--name comes after the command: put it before');
  });

  test('a program that is not there is a failure with its code', async () => {
    const { code, json } = await ownCli().run('open', '--json', '--', 'no-such-program');
    expect(code).toBe(1);
    expect(json.error).toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
  });

  test('time that is up is 3, and the program goes on', async () => {
    const cli = ownCli();
    const { code, json } = await cli.run('open', '--timeout', '200ms', '--json', 'sleep', '100');
    expect(code).toBe(3);
    expect(json).toMatchObject({ session: 'sleep', state: 'working', timed_out: true });
    expect((await cli.run('ls', '--json')).json.sessions).toHaveLength(1);
  });
});
