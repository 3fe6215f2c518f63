import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAIN, ownCli } from '../../helpers/cli/own-cli.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

describe('run', () => {
  test('prints all of the output, however long', async () => {
    const { stdout, stderr, code } = await ownCli().run('run', '--', 'seq 1 50000');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toBe(Array.from({ length: 50_000 }, (_, at) => `${at + 1}\n`).join(''));
  });

  test("exits with the command's own code, and prints exactly its output", async () => {
    const cli = ownCli();
    const ran = await cli.run('run', '--', 'printf', "'a\\nb\\n';", 'exit', '7');
    expect(ran).toMatchObject({ code: 7, stdout: 'a\nb\n', stderr: '' });
    expect((await cli.run('ls', '--json')).json).toEqual({ sessions: [] });
  });

  test('prints what the command printed, to the last newline', async () => {
    const cli = ownCli();
    const printed = async (...command: string[]) => (await cli.run('run', ...command)).stdout;
    await cli.run('open', '--name', 'sh');
    for (const session of [[], ['sh']]) {
      expect(await printed(...session, '--', 'echo')).toBe('\n');
      expect(await printed(...session, '--', 'printf x')).toBe('x');
    }
    expect(await printed('--', "printf 'a\\n\\n\\n'; true")).toBe('a\n\n\n');
    expect(await printed('--', 'true')).toBe('');
    // If a program moves the cursor, it is the text that remains.
    expect(await printed('--', "printf '1%%\\r2%%\\n'")).toBe('2%\n');
  });

  test('in a session its shell keeps folder and variables', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
    expect((await cli.run('run', 'sh', '--', 'cd /usr; A=here')).code).toBe(0);
    expect(await cli.run('run', 'sh', '--', 'echo $PWD $A; false')).toMatchObject({
      code: 1,
      stdout: '/usr here\n',
    });
  });

  test('124: time was up; 126: it asks. Both live on, and are named', async () => {
    const cli = ownCli();
    const timedOut = await cli.run('run', '--timeout', '300ms', '--json', '--', 'sleep', '100');
    expect(timedOut.code).toBe(124);
    const asks = await cli.run('run', '--json', '--', 'read -p "Name: " name; echo "Hi $name"');
    expect(asks.code).toBe(126);
    expect(asks.json).toMatchObject({ state: 'waiting', prompt: 'Name: ' });
    const names = (await cli.run('ls', '--json')).json.sessions.map(
      ({ session }: { session: string }) => session,
    );
    expect(names).toEqual([timedOut.json.session, asks.json.session]);
    expect((await cli.run('send', asks.json.session, 'Ada')).stdout).toBe('Hi Ada\n');
  });

  test('125: we ourselves failed, whatever the reason', async () => {
    const cli = ownCli();
    expect((await cli.run('run', 'nobody', '--', 'true')).code).toBe(125);
    expect((await cli.run('run', 'npm test')).code).toBe(125);
    expect((await cli.run('run', '--frob', '--', 'true')).code).toBe(125);
  });

  test('125: the command has ended, but has removed the marks that tell how', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--shell', '/bin/bash');
    const lost = await cli.run('run', 'sh', '--', 'unset PS1 PROMPT_COMMAND PS0');
    expect(lost).toMatchObject({ code: 125, stdout: '' });
    expect(lost.stderr).toContain('[sh: ended, exit code unknown: ');
    expect((await cli.run('run', 'sh', '--', 'exit_with() { return $1; }; exit_with 3')).code).toBe(
      3,
    );
  });

  test('Ctrl-C and other signals go to the command, and end it completely', async () => {
    const cli = ownCli();
    const folder = folderWith();
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const startedFile = join(folder, signal);
      const child = spawn(
        process.execPath,
        [MAIN, 'run', '--', `echo > ${startedFile}; sleep 1000`],
        {
          env: cli.env,
          stdio: 'ignore',
        },
      );
      const ended = once(child, 'exit');
      await until('the command runs', () => existsSync(startedFile));
      child.kill(signal);
      expect(await ended).toEqual([code, null]);
    }
    expect((await cli.run('ls', '--json')).json).toEqual({ sessions: [] });
  });

  test('Ctrl-C reaches its own command, also while another one with the same text runs', async () => {
    const cli = ownCli();
    const startLog = join(folderWith(), 'starts');
    const command = `echo >> ${startLog}; sleep 1000`;
    const start = async (count: number) => {
      const child = spawn(process.execPath, [MAIN, 'run', '--', command], {
        env: cli.env,
        stdio: 'ignore',
      });
      const hasStarted = () => existsSync(startLog) && readFileSync(startLog).length === count;
      await until('the command runs', hasStarted);
      return { child, ended: once(child, 'exit') };
    };
    const one = await start(1);
    const other = await start(2);
    one.child.kill('SIGINT');
    expect(await one.ended).toEqual([130, null]);
    expect(other.child.exitCode).toBe(null);
    other.child.kill('SIGINT');
    expect(await other.ended).toEqual([130, null]);
  });

  test('after a second signal we stop waiting, and a session that existed before goes on', async () => {
    const cli = ownCli();
    const startedFile = join(folderWith(), 'started');
    await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
    const command = `trap '' INT; echo > ${startedFile}; sleep 1000`;
    const child = spawn(process.execPath, [MAIN, 'run', 'sh', '--', command], {
      env: cli.env,
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await until('the command runs', () => existsSync(startedFile));
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    const [summary] = (await cli.run('ls', '--json')).json.sessions;
    expect(summary).toMatchObject({ session: 'sh', state: 'working' });
  });

  test('output that cannot be written is a failure of ours, in one line', async () => {
    const { env } = ownCli();
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const stdio = ['ignore', full, 'pipe'] as const;
    const args = [MAIN, 'run', '--', 'echo', 'lost'];
    const { status, stderr } = spawnSync(process.execPath, args, { env, stdio: [...stdio] });
    expect(status).toBe(125);
    expect(String(stderr)).toMatch(/^repartee: The output cannot be written: ENOSPC.*\n$/);
  });

  test('a reader that closes the pipe is no failure, and neither is a remark that cannot be written', async () => {
    const { env } = ownCli();
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    // --help writes to standard output; ls writes a remark, that there are no sessions.
    const help = spawn(process.execPath, [MAIN, '--help'], { env });
    help.stdout.destroy();
    const ls = spawn(process.execPath, [MAIN, 'ls'], { env, stdio: ['ignore', 'pipe', full] });
    expect(await Promise.all([once(help, 'exit'), once(ls, 'exit')])).toEqual([
      [0, null],
      [0, null],
    ]);
  });

  test('a gap is marked if a command prints more than is kept', async () => {
    const cli = ownCli();
    // 3.6 and 3.9 MB, and 4.1 and 4.4 MB on a terminal, where a line end has two bytes. 4 MiB are kept.
    const all = await cli.run('run', '--', 'seq 1 530000');
    expect(all).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout).toHaveLength(3_598_895);
    const { stdout, stderr } = await cli.run('run', '--', 'seq 1 570000');
    expect(stdout).toMatch(/^1\n2\n/);
    expect(stdout).toMatch(/\n\[\d+ bytes in \d+ lines no longer kept\]\n/);
    expect(stdout).toMatch(/\n569999\n570000\n$/);
    expect(stderr).toMatch(/^\[seq-output: exit code 0; \d+ lines left out\]\n$/);
  });

  test('a command ended by a signal exits with 128 plus its number, as in a shell', async () => {
    expect((await ownCli().run('run', '--', "sh -c 'kill -TERM $$'")).code).toBe(143);
  });
});
