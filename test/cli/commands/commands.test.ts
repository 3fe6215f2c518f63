import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAIN, ownCli } from '../../helpers/cli/own-cli.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

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

  test('a folder is meant from where the caller is', async () => {
    const cli = ownCli();
    const { stdout } = await cli.run('open', '--cwd', 'test', '--', 'pwd');
    expect(stdout).toBe(`${join(process.cwd(), 'test')}\n`);
  });

  test('a session is called after the program that is meant', async () => {
    const cli = ownCli();
    const nameOf = async (...command: string[]) =>
      (await cli.run('open', '--json', ...command)).json.session;
    expect(await nameOf('exec cat')).toBe('cat');
    expect(await nameOf('cd / && A="1 2" exec sleep 0')).toBe('sleep');
    expect(await nameOf('--', 'env', 'A=1', 'true')).toBe('true');
  });

  test('refuses its own options behind the command, and says where they go', async () => {
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

describe('send', () => {
  python('prints the answer, and on standard error whose turn it is', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'py', '--', 'python3', '-q');
    const answered = await cli.run('send', 'py', 'print(6 * 7)');
    expect(answered).toMatchObject({ code: 0, stdout: '42\n' });
    expect(answered.stderr).toBe('[py: python3 waiting for a line at ">>> "]\n');
  });

  python('says by its exit code that time was up, that it exited, that it had', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'py', '--', 'python3', '-q');
    const late = await cli.run('send', 'py', 'import time; time.sleep(60)', '--timeout', '300ms');
    expect(late.code).toBe(3);
    expect((await cli.run('send', 'py', '--keys', 'C-c')).code).toBe(0);
    expect((await cli.run('send', 'py', 'exit(5)', '--json')).code).toBe(4);
    const after = await cli.run('send', 'py', '1', '--json');
    expect(after.code).toBe(4);
    expect(after.json.error).toMatchObject({ code: 'PROGRAM_EXITED', details: { session: 'py' } });
    expect((await cli.run('send', 'py', '1')).stderr).toBe(
      'repartee: The program of session "py" has ended (exit code 5), so it cannot be typed to. Open a new session.\n' +
        '`repartee read py` shows what it said last, `repartee close py` removes it.\n',
    );
    expect((await cli.run('read', 'py', '--json')).json.exit_code).toBe(5);
  });

  test('an exit that was waited for is 0', async () => {
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

  test('types a secret of its own environment, which nobody sees', async () => {
    const cli = ownCli();
    const folder = folderWith({ login: 'stty -echo\nprintf "Password: "\nread p\necho "got $p"' });
    const asked = await cli.run('open', '--name', 'l', '--', 'sh', join(folder, 'login'));
    expect(asked.stderr).toContain('It asks for a secret: do not give it as text.');
    const env = { REPARTEE_SECRET_DB: 'swordfish-7' };
    const { stdout, code } = await cli.runWith(env, 'send', 'l', '--secret', 'db');
    expect(code).toBe(4);
    expect(stdout).toContain('got ***');
    expect(stdout).not.toContain('swordfish');
  });

  test('who names a session that is not there is told those that are, and which have exited', async () => {
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
    const wrong = async (...args: string[]) => {
      const { code, stderr } = await cli.run('send', ...args);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await wrong()).toContain('Which session?');
    expect(await wrong('x')).toContain('What shall be typed?');
    expect(await wrong('x', 'two', 'words')).toContain('Put quotes around the text');
    expect(await wrong('x', 'y', '--timeout', '5')).toContain('Say 5s or 5ms.');
    expect(await wrong('x', 'y', '--until', 'noon')).toContain('ready, exit, output');
    expect(await wrong('x', 'y', '--frob')).toContain('Usage: repartee send NAME');
  });
});

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
    // Where a program has moved the cursor it is what came of that.
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
    const late = await cli.run('run', '--timeout', '300ms', '--json', '--', 'sleep', '100');
    expect(late.code).toBe(124);
    const asks = await cli.run('run', '--json', '--', 'read -p "Name: " name; echo "Hi $name"');
    expect(asks.code).toBe(126);
    expect(asks.json).toMatchObject({ state: 'waiting', prompt: 'Name: ' });
    const names = (await cli.run('ls', '--json')).json.sessions.map(
      ({ session }: { session: string }) => session,
    );
    expect(names).toEqual([late.json.session, asks.json.session]);
    expect((await cli.run('send', asks.json.session, 'Ada')).stdout).toBe('Hi Ada\n');
  });

  test('125: we ourselves failed, whatever the reason', async () => {
    const cli = ownCli();
    expect((await cli.run('run', 'nobody', '--', 'true')).code).toBe(125);
    expect((await cli.run('run', 'npm test')).code).toBe(125);
    expect((await cli.run('run', '--frob', '--', 'true')).code).toBe(125);
  });

  test('Ctrl-C and other signals are for the command, and nothing is left of it', async () => {
    const cli = ownCli();
    const folder = folderWith();
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const sign = join(folder, signal);
      const child = spawn(process.execPath, [MAIN, 'run', '--', `echo > ${sign}; sleep 1000`], {
        env: cli.env,
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      await until('the command runs', () => existsSync(sign));
      child.kill(signal);
      expect(await ended).toEqual([code, null]);
    }
    expect((await cli.run('ls', '--json')).json).toEqual({ sessions: [] });
  });

  test('Ctrl-C reaches the command it was meant for, also where another one reads the same', async () => {
    const cli = ownCli();
    const signs = join(folderWith(), 'signs');
    const command = `echo >> ${signs}; sleep 1000`;
    const start = async (count: number) => {
      const child = spawn(process.execPath, [MAIN, 'run', '--', command], {
        env: cli.env,
        stdio: 'ignore',
      });
      const begun = () => existsSync(signs) && readFileSync(signs).length === count;
      await until('the command runs', begun);
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

  test('whoever insists leaves a session that was there before, and it goes on', async () => {
    const cli = ownCli();
    const sign = join(folderWith(), 'sign');
    await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
    const command = `trap '' INT; echo > ${sign}; sleep 1000`;
    const child = spawn(process.execPath, [MAIN, 'run', 'sh', '--', command], {
      env: cli.env,
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await until('the command runs', () => existsSync(sign));
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

  test('whoever has read enough is no failure, and neither is a remark that cannot be written', async () => {
    const { env } = ownCli();
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    // One has an answer, the other a remark: that there are no sessions.
    const help = spawn(process.execPath, [MAIN, '--help'], { env });
    help.stdout.destroy();
    const ls = spawn(process.execPath, [MAIN, 'ls'], { env, stdio: ['ignore', 'pipe', full] });
    expect(await Promise.all([once(help, 'exit'), once(ls, 'exit')])).toEqual([
      [0, null],
      [0, null],
    ]);
  });

  test('where more is printed than is kept, with two bytes for a line end, the gap is marked', async () => {
    const cli = ownCli();
    // 3.6 and 3.9 MB as they are printed, 4.1 and 4.4 on a terminal, of which 4 MiB are kept.
    const all = await cli.run('run', '--', 'seq 1 530000');
    expect(all).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout).toHaveLength(3_598_895);
    const { stdout, stderr } = await cli.run('run', '--', 'seq 1 570000');
    expect(stdout).toMatch(/^1\n2\n/);
    expect(stdout).toMatch(/\n\[\d+ bytes in \d+ lines no longer kept\]\n/);
    expect(stdout).toMatch(/\n569999\n570000\n$/);
    expect(stderr).toMatch(/^\[seq: exit code 0; \d+ lines left out\]\n$/);
  });

  test('a command ended by a signal has 128 and its number, as in a shell', async () => {
    expect((await ownCli().run('run', '--', "sh -c 'kill -TERM $$'")).code).toBe(143);
  });
});

describe('read', () => {
  test('gives what is new once, and any part of it again', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
    expect((await cli.run('send', 'sh', 'echo one; echo two')).stdout).toBe('one\ntwo\n');
    expect((await cli.run('read', 'sh')).stdout).toBe('');
    const all = await cli.run('read', 'sh', '--from', '0');
    expect(all.stdout).toContain('one\ntwo\n');
    expect((await cli.run('read', 'sh', '--search', '^tw')).stdout).toMatch(/\d+:two/);
    const vain = await cli.run('read', 'sh', '--search', 'zzzz');
    expect(vain).toMatchObject({ code: 0, stdout: '' });
    expect(vain.stderr).toMatch(/^\[nothing matches zzzz\]\n\[sh: /);
  });

  test('shows the screen, what has changed on it, and raw output', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--cols', '40', '--rows', '5', '--', 'bash', '--norc');
    await cli.run('send', 'sh', 'printf "\\033[31mred\\033[0m\\n"');
    const { json } = await cli.run('read', 'sh', '--screen', '--json');
    expect(json).toMatchObject({ cols: 40, rows: 5 });
    expect(json.output).toContain('\nred\n');
    await cli.run('send', 'sh', 'echo new', '--until', 'ready');
    expect((await cli.run('read', 'sh', '--diff')).stdout).toMatch(/\d: new/);
    expect((await cli.run('read', 'sh', '--raw')).stdout).toContain('\x1b[31mred');
    expect((await cli.run('read', 'sh', '--raw', '--diff')).code).toBe(2);
  });

  test('an exited session is 4, and can still be read', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'e', 'echo', 'bye');
    const { code, stdout } = await cli.run('read', 'e', '--from', '0');
    expect({ code, stdout }).toEqual({ code: 4, stdout: 'bye\n' });
  });

  test('--follow prints what comes until the program exits, and takes nothing from the agent', async () => {
    const cli = ownCli();
    const folder = folderWith();
    const script = `echo one; while [ ! -e ${folder}/go ]; do sleep 0.05; done; printf two; sleep 0.3; echo ' and a half'`;
    await cli.run('open', '--name', 'f', '--timeout', '100ms', script);
    const following = cli.run('read', 'f', '--follow');
    writeFileSync(join(folder, 'go'), '');
    const { code, stdout } = await following;
    expect(code).toBe(0);
    expect(stdout).toBe('one\ntwo and a half\n');
    expect((await cli.run('read', 'f')).stdout).toBe('two and a half\n');
  });

  test('--follow --raw prints bytes as they come', async () => {
    const cli = ownCli();
    const folder = folderWith();
    const wait = `while [ ! -e ${folder}/go ]; do sleep 0.05; done`;
    await cli.run('open', '--name', 'f', '--timeout', '100ms', `${wait}; printf '\\033[1mbold'`);
    const following = cli.run('read', 'f', '--follow', '--raw', '--from', '0');
    const connected = async () => (await cli.daemon.status()).clients > 0;
    await until('somebody follows', connected);
    writeFileSync(join(folder, 'go'), '');
    expect((await following).stdout).toBe('\x1b[1mbold');
  });
});

describe('wait', () => {
  test('ends at the first of several sessions', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'slow', '--timeout', '0', 'sleep', '100');
    await cli.run('open', '--name', 'quick', '--timeout', '0', 'sleep', '0.2');
    const { code, json } = await cli.run('wait', '--until', 'exit', '--json');
    expect(code).toBe(0);
    expect(json).toMatchObject({ session: 'quick', state: 'exited', exit_code: 0 });
  });

  test('3: time was up; 4: it exited instead', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 's', '--timeout', '0', 'sleep', '100');
    expect((await cli.run('wait', 's', '--timeout', '100ms')).code).toBe(3);
    await cli.run('open', '--name', 'e', '--timeout', '0', 'sleep', '0.2');
    expect((await cli.run('wait', 'e', '--match', 'never')).code).toBe(4);
    expect((await cli.run('wait', 'nobody')).code).toBe(1);
  });
});

describe('ls', () => {
  test('is empty where there is no daemon, and starts none', async () => {
    const cli = ownCli();
    expect(await cli.run('ls')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '[no sessions; `repartee open` starts one]\n',
    });
    expect((await cli.run('ls', '--json')).json).toEqual({ sessions: [] });
    expect((await cli.run('daemon', 'status')).code).toBe(1);
  });

  test('is a table of names, states, programs and idle times, plain in a pipe', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
    await cli.run('open', '--name', 'gone', 'exit 3');
    const { stdout } = await cli.run('ls');
    const [head, sh, gone] = stdout.split('\n');
    expect(head).toMatch(/^NAME {2}STATE .* PROGRAM {2}IDLE/);
    expect(sh).toMatch(/^sh {4}wants a command .* bash .* \d+ s/);
    expect(gone).toMatch(/^gone {2}exited with 3 /);
    const { sessions } = (await cli.run('ls', '--json')).json;
    expect(sessions[0]).toMatchObject({ session: 'sh', state: 'waiting', foreground: 'bash' });
    expect(sessions[0].pid).toBeGreaterThan(1);
  });

  test('says which sessions were lost when the daemon was killed', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'precious', '--', 'cat');
    const pid = await cli.daemon.pid();
    process.kill(pid, 'SIGKILL');
    const { code, stderr } = await cli.run('ls');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^\[lost, since the daemon was killed: precious/);
    expect((await cli.run('send', 'precious', 'x', '--json')).json.error.code).toBe('SESSION_LOST');
  });
});

describe('resize, signal and close', () => {
  test('reach the program', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
    expect((await cli.run('resize', 'sh', '90x20', '--json')).json).toEqual({
      session: 'sh',
      cols: 90,
      rows: 20,
    });
    expect((await cli.run('run', 'sh', '--', 'stty size')).stdout).toBe('20 90\n');
    await cli.run('open', '--name', 'c', '--', 'cat');
    expect((await cli.run('signal', 'c', 'TERM')).code).toBe(0);
    expect((await cli.run('wait', 'c', '--until', 'exit', '--json')).json.signal).toBe('SIGTERM');
    expect((await cli.run('close', 'c', 'sh', '--json')).json).toEqual({ closed: ['c', 'sh'] });
    expect((await cli.run('ls', '--json')).json).toEqual({ sessions: [] });
  });

  test('name what is wrong', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'c', '--', 'cat');
    expect((await cli.run('resize', 'c', '80')).code).toBe(2);
    expect((await cli.run('signal', 'c')).code).toBe(2);
    expect((await cli.run('close')).code).toBe(2);
    expect((await cli.run('close', 'nobody')).code).toBe(1);
    // Before anything is closed.
    expect((await cli.run('close', 'c', 'nobody')).code).toBe(1);
    expect((await cli.run('close', 'c', 'c', '--json')).json).toEqual({ closed: ['c'] });
  });

  testWith('setsid')('close names what survived, and --force ends it', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--', 'sh', '-c', 'setsid sleep 98765 & exec cat');
    const { json } = await cli.run('close', 'sh', '--json');
    expect(json.survivors).toMatchObject([{ name: 'sleep' }]);
    process.kill(json.survivors[0].pid, 'SIGKILL');
    await cli.run('open', '--name', 'sh', '--', 'sh', '-c', 'setsid sleep 98765 & exec cat');
    expect((await cli.run('close', '--all', '--force', '--json')).json).toEqual({ closed: ['sh'] });
    expect((await cli.run('close', '--all')).stderr).toBe('[there was nothing to close]\n');
  });
});
