import { describe, expect, onTestFinished, test } from 'vitest';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import type { OpenOptions } from '../../../src/session/options/options.ts';
import { asRoot, testWith } from '../../helpers/needs.ts';
import { folderWith, makeGate } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const begin = async (options: OpenOptions = {}) => {
  const sessions = new LocalSessions();
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const open = { shell: '/bin/bash', clean: true, name: 'sh', ...options };
  await sessions.open(open);
  const run = (command: string, more = {}) => sessions.run(command, { session: 'sh', ...more });
  return { sessions, run };
};

describe('run', () => {
  test('types nothing but the command where the shell has marks', async () => {
    const { sessions, run } = await begin();
    const typed: string[] = [];
    sessions.subscribe((event) => {
      if (event.type === 'input') typed.push(Buffer.from(event.bytes).toString());
    });
    await run("cat <<'END'\na\nEND");
    expect(typed).toEqual(["\x1b[200~cat <<'END'\ra\rEND\x1b[201~", '\r']);
  });

  test('types an end mark where the shell has none, and says so', async () => {
    const { run } = await begin({ command: ['dash'], env: { PS1: '$ ', ENV: undefined } });
    expect(await run('echo one; false')).toMatchObject({
      output: 'one',
      exitCode: 1,
      endMark: 'typed',
    });
    // In the shell itself; and a command that reads does not get the mark as input.
    expect(await run('A=1; cd /usr')).toMatchObject({ cwd: '/usr' });
    expect(await run('echo $A; pwd')).toMatchObject({ output: '1\n/usr' });
    expect(await run('cat')).toMatchObject({ state: 'waiting', output: '' });
  });

  testWith('rc')('in the syntax of rc where that is the shell', async () => {
    const { run } = await begin({ command: ['rc'] });
    expect(await run("echo 'it''s'; false")).toMatchObject({
      output: "it's",
      exitCode: 1,
      endMark: 'typed',
    });
    expect(await run("true | false | sh -c 'exit 3'")).toMatchObject({ exitCode: 3 });
    expect(await run('cd /usr')).toMatchObject({ exitCode: 0, cwd: '/usr' });
  });

  test('a shell within a shell gets typed marks, and its end is detected', async () => {
    const { sessions, run } = await begin();
    await sessions.send('sh', { text: 'dash' });
    expect(await run('echo $0')).toMatchObject({ output: 'dash', endMark: 'typed' });
    expect(await run('exit 4')).toMatchObject({
      output: '',
      exitCode: 4,
      waitingFor: 'command',
      certainty: 'certain',
    });
    expect(await run('echo back')).toMatchObject({ output: 'back', endMark: 'shell' });
  });

  test.each(['bash --norc', 'dash'])(
    '%s that has replaced a shell gets typed marks',
    async (other) => {
      const { run } = await begin();
      expect(await run(`exec ${other}`)).toMatchObject({ state: 'waiting' });
      expect(await run('echo hi; false')).toMatchObject({
        output: 'hi',
        exitCode: 1,
        endMark: 'typed',
      });
    },
  );

  test('an interrupt frees a shell without marks', async () => {
    const { sessions, run } = await begin({ command: ['dash'], env: { PS1: '$ ' } });
    expect(await run('sleep 1000', { timeoutMs: 300 })).toMatchObject({ timedOut: true });
    await expect(run('echo a')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    await sessions.send('sh', { keys: 'C-c' });
    expect(await run('echo a')).toMatchObject({ output: 'a', exitCode: 0 });
  });

  test('a question in a shell without marks is not mistaken for its prompt', async () => {
    const { sessions, run } = await begin({ command: ['dash'], env: { PS1: '$ ' } });
    await run('read x; echo "$x."');
    await expect(run('echo a')).rejects.toMatchObject({
      code: 'SESSION_BUSY',
      details: { running: 'read x; echo "$x."' },
    });
    expect((await sessions.send('sh', { text: 'b' })).output).toBe('b.');
    expect(await run('echo a')).toMatchObject({ output: 'a' });
  });

  test('nothing is run in a program that is no shell', async () => {
    const { run } = await begin({ command: ['python3', '-q'] });
    await expect(run('echo a')).rejects.toMatchObject({
      code: 'NOT_A_SHELL',
      details: { program: 'python3' },
    });
  });

  test('nothing is run after unfinished text on the line', async () => {
    const { sessions, run } = await begin();
    await sessions.send('sh', { text: 'echo x', submit: false });
    await expect(run('echo a')).rejects.toMatchObject({
      code: 'LINE_BEGUN',
      details: { line: 'echo x' },
    });
    await sessions.send('sh', { keys: 'C-c' });
    expect(await run('echo a')).toMatchObject({ output: 'a' });
  });

  test('a line typed ahead is no part of the command, nor is its echo', async () => {
    const { sessions, run } = await begin();
    const gate = makeGate();
    const first = run(`${gate.wait}; echo a; false`);
    await until('it sleeps', async () => (await sessions.list())[0]?.foreground === 'sleep');
    await sessions.send('sh', { text: 'echo b', until: 'now' });
    gate.open();
    expect(await first).toMatchObject({ output: 'a', exitCode: 1 });
    await sessions.wait({ sessions: ['sh'] });
    expect(await run('echo c')).toMatchObject({ output: 'c', exitCode: 0 });
  });

  test('the error of a shell that does not run a line is returned', async () => {
    const { run } = await begin();
    expect(await run('echo "hi!there"')).toMatchObject({
      output: 'bash: !there: event not found',
      exitCode: 1,
      waitingFor: 'command',
    });
    expect(await run('echo )')).toMatchObject({
      output: "bash: syntax error near unexpected token `)'",
      exitCode: 2,
    });
  });

  test('a command that is not complete can be completed or dropped', async () => {
    const { sessions, run } = await begin();
    const open = await run('echo "a');
    expect(open).toMatchObject({ state: 'waiting', waitingFor: 'line', prompt: '> ' });
    expect(open.because).toContain('C-c');
    expect((await sessions.send('sh', { text: 'b"' })).output).toContain('a\nb');
    await run('echo "a');
    await sessions.send('sh', { keys: 'C-c' });
    expect(await run('echo c')).toMatchObject({ output: 'c', exitCode: 0 });
  });

  test('the error of a shell is returned, though it then waits for the rest of a command', async () => {
    const { sessions, run } = await begin();
    expect(await run(`echo 'one\ntwo'; echo "!three"`)).toMatchObject({
      output: 'bash: !three: event not found',
      waitingFor: 'line',
      prompt: '> ',
    });
    expect((await sessions.read('sh')).output).toBe('');
  });

  test('a job in the background is left running, and the shell is ready', async () => {
    const { run } = await begin();
    const result = await run('sleep 1000 &');
    expect(result).toMatchObject({ exitCode: 0, waitingFor: 'command', certainty: 'certain' });
    expect(result.output).toMatch(/^\[1\] \d+$/);
    expect((await run('jobs')).output).toMatch(/Running\s+sleep 1000/);
  });

  test('a control character in a command is refused', async () => {
    const { run } = await begin();
    await expect(run('echo \x1b[0m')).rejects.toMatchObject({ code: 'UNUSABLE_ARGUMENT' });
  });

  test('output that was cut is counted, and can be read from where it was cut', async () => {
    const { sessions, run } = await begin();
    const { output, omitted } = await run('seq 1000', { maxTokens: 100 });
    const shown = output.split('\n');
    expect(omitted!.lines).toBe(1000 - (shown.length - 1));
    const next = await sessions.read('sh', { from: omitted!.from! });
    expect(next.output.split('\n')[0]).toBe(
      String(shown.findIndex((line) => !/^\d+$/.test(line)) + 1),
    );
  });

  test('the output of a command without a session counts as read, though some was cut', async () => {
    const { sessions } = await begin();
    const { session, omitted } = await sessions.run('seq 1000', { maxTokens: 100 });
    const unread = async () =>
      (await sessions.list()).find((one) => one.session === session)?.unread;
    expect(omitted).toBeDefined();
    expect(await unread()).toBe(0);
    expect((await sessions.read(session)).output).toBe('');
  });

  test('what is kept of a command for its cut output does not take the name of its program', async () => {
    const { sessions } = await begin();
    const names: string[] = [];
    for (let times = 0; times < 2; times++)
      names.push((await sessions.run('seq 1000', { maxTokens: 100 })).session);
    expect(names).toEqual(['seq-output', 'seq-output-2']);
    expect((await sessions.read('seq-output', { from: 0 })).output).toMatch(/^1\n2\n/);
    expect((await sessions.open({ command: 'seq 1' })).session).toBe('seq');
  });

  for (const shell of ['bash', 'dash', 'zsh', 'fish']) {
    testWith(shell)(
      `without a session a command is run in ${shell}, if that is yours`,
      async () => {
        const { sessions } = await begin();
        const run = (command: string) =>
          sessions.run(command, { env: { SHELL: `/usr/bin/${shell}` } });
        expect(await run("cd /usr; echo one; sh -c 'exit 3'")).toMatchObject({
          state: 'exited',
          output: 'one',
          exitCode: 3,
          cwd: '/usr',
        });
        expect((await run('echo )')).output).not.toMatch(/shift|eval "|repartee/);
      },
    );
  }

  test('without a session a command ends with its shell, and has all output of its end', async () => {
    const { sessions } = await begin();
    const run = (command: string) => sessions.run(command, { env: { SHELL: '/bin/bash' } });
    expect(await run("trap 'echo two >&2; exit 4' EXIT; echo one; cd /usr")).toMatchObject({
      output: 'one\ntwo',
      exitCode: 4,
      cwd: '/usr',
    });
    // Nothing of our script around the command is shown.
    expect((await run('for')).output).toMatch(/: `for'$/);
    expect((await run('set -x; echo a')).output).toBe('++ echo a\na');
  });

  test('what grep colours has its tabs and blanks, also at the edge of the screen', async () => {
    const lines = ['\ta match \t of it  ', 'match\t', `  ${'match  '.repeat(40)}`];
    // The match ends in each of the columns around the last one.
    for (let before = 70; before < 82; before++) lines.push(`${'x'.repeat(before)}match \tx `);
    const folder = folderWith({ file: `${lines.join('\n')}\nnot this\n` });
    const { run } = await begin({ cols: 80, cwd: folder });
    const found = await run('grep --color=always match file');
    expect(found.output.split('\n')).toEqual(lines);
    const numbered = await run('grep -n --color=always match file');
    expect(numbered.output.split('\n')).toEqual(lines.map((line, at) => `${at + 1}:${line}`));
    // The same with colours that conceal text.
    const concealed = await run("GREP_COLORS='ms=8' grep --color=always match file");
    expect(concealed.output.split('\n')[0]).toBe('\ta       \t of it  ');
    expect(concealed.hidden).toBe('match'.length * 54);
  });

  test('a full-screen program is shown as its screen', async () => {
    const { run } = await begin();
    const cwd = folderWith({ 'a.txt': 'one\ntwo\n' });
    const result = await run(`less ${cwd}/a.txt`);
    expect(result).toMatchObject({ state: 'waiting', waitingFor: 'key' });
    expect(result.output).toContain('one\ntwo');
    expect(result.screen).toBeDefined();
  });

  asRoot(testWith('su'))('a shell of another user gets typed marks', async () => {
    const { sessions, run } = await begin();
    await sessions.send('sh', { text: 'su -s /bin/sh nobody' });
    expect(await run('id -un')).toMatchObject({ output: 'nobody', endMark: 'typed' });
  });
});
