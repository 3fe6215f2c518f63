import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const python = testWith('python3');

describe('send', () => {
  python('prints the answer, and on standard error whose turn it is', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'py', '--', 'python3', '-q');
    const sent = await cli.run('send', 'py', 'print(6 * 7)');
    expect(sent).toMatchObject({ code: 0, stdout: '42\n' });
    expect(sent.stderr).toBe('[py: python3 waiting for a line at ">>> "]\n');
  });

  python(
    'has exit codes for a timeout, a program that exits, and one that had exited before',
    async () => {
      const cli = ownCli();
      await cli.run('open', '--name', 'py', '--', 'python3', '-q');
      const timedOut = await cli.run(
        'send',
        'py',
        'import time; time.sleep(60)',
        '--timeout',
        '300ms',
      );
      expect(timedOut.code).toBe(3);
      expect((await cli.run('send', 'py', '--keys', 'C-c')).code).toBe(0);
      expect((await cli.run('send', 'py', 'exit(5)', '--json')).code).toBe(4);
      const after = await cli.run('send', 'py', '1', '--json');
      expect(after.code).toBe(4);
      expect(after.json.error).toMatchObject({
        code: 'PROGRAM_EXITED',
        details: { session: 'py' },
      });
      expect((await cli.run('send', 'py', '1')).stderr).toBe(
        'repartee: The program of session "py" has ended (exit code 5), so it cannot be typed to. Open a new session.\n' +
          '`repartee read py` shows what it said last, `repartee close py` removes it.\n',
      );
      expect((await cli.run('read', 'py', '--json')).json.exit_code).toBe(5);
    },
  );

  test('0: the exit was waited for', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'c', '--', 'cat');
    expect((await cli.run('send', 'c', '--keys', 'C-d', '--until', 'exit')).code).toBe(0);
  });

  test('types without Enter, presses keys, waits for a match', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'c', '--', 'cat');
    await cli.run('send', 'c', 'half ', '--no-submit', '--until', 'now');
    const { stdout } = await cli.run('send', 'c', 'line', '--match', 'half line');
    expect(stdout).toBe('half line\n');
  });

  test('types a secret from its own environment, which never appears in the output', async () => {
    const cli = ownCli();
    const folder = folderWith({ login: 'stty -echo\nprintf "Password: "\nread p\necho "got $p"' });
    const opened = await cli.run('open', '--name', 'l', '--', 'sh', join(folder, 'login'));
    expect(opened.stderr).toContain('It asks for a secret: do not give it as text.');
    const env = { REPARTEE_SECRET_DB: 'swordfish-7' };
    const { stdout, code } = await cli.runWith(env, 'send', 'l', '--secret', 'db');
    expect(code).toBe(4);
    expect(stdout).toContain('got ***');
    expect(stdout).not.toContain('swordfish');
  });

  test('the error about an unknown session lists the open and the exited ones', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'alive', '--', 'cat');
    await cli.run('open', '--name', 'gone', '--', 'true');
    const { stderr } = await cli.run('send', 'py', '1');
    expect(stderr).toContain('No session "py". Open sessions: alive. Exited ones: gone.');
  });

  test('without a daemon there is no such session, and none is started', async () => {
    const cli = ownCli();
    const { code, stderr } = await cli.run('send', 'py', '1');
    expect(code).toBe(1);
    expect(stderr).toContain('No session "py". Open sessions: none.');
    expect(stderr).toContain('`repartee open` starts one');
    expect((await cli.run('daemon', 'status')).code).toBe(1);
  });

  test('a wrong command line is 2, and says what is wrong with it', async () => {
    const cli = ownCli();
    const usageError = async (...args: string[]) => {
      const { code, stderr } = await cli.run('send', ...args);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await usageError()).toContain('Which session?');
    expect(await usageError('x')).toContain('What shall be typed?');
    expect(await usageError('x', 'two', 'words')).toContain('Put quotes around the text');
    expect(await usageError('x', 'y', '--timeout', '5')).toContain('Say 5s or 5ms.');
    expect(await usageError('x', 'y', '--until', 'noon')).toContain('ready, exit, output');
    expect(await usageError('x', 'y', '--frob')).toContain('Usage: repartee send NAME');
  });
});
