import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { scenes } from '../../conversations/scenes.ts';
import { hive } from '../../src/dialects/hive/dialect.ts';
import { type Clock, systemClock } from '../../src/dialects/shared/clock.ts';
import { type Call, inProcess, modes, serverFor } from '../helpers/dialect-agent.ts';
import { JumpingClock } from '../helpers/jumping-clock.ts';
import { asRoot, outsideSandbox, testWith } from '../helpers/needs.ts';
import { folderWith, makeGate } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

// An interactive bash writes its history when it ends. Spare the history of the user.
process.env.HISTFILE = '/dev/null';

const PASSWORD = 'correct horse';

/** Short names for the tools. Each returns its JSON object. */
const toolsOf = (call: Call) => {
  const tool = (name: string) => async (args: Record<string, unknown>, signal?: AbortSignal) => {
    const { text, structured, failed } = await call(`terminal_pty_${name}`, args, signal);
    expect(JSON.parse(text)).toEqual(structured);
    expect(failed).toBe(false);
    return structured;
  };
  return { open: tool('open'), run: tool('run'), close: tool('close') };
};

/** Drains until the output matches. */
const drainUntil = async (
  run: ReturnType<typeof toolsOf>['run'],
  id: string,
  expected: RegExp,
): Promise<string> => {
  let all = '';
  await until(`a drain returns ${expected}`, async () => {
    all += (await run({ session_id: id, read_only: true, timeout_sec: 10 })).output;
    return expected.test(all);
  });
  return all;
};

describe.each(modes)('hive, $mode', ({ mode, flags }) => {
  const mayEndEarly = mode === 'with early returns';
  const { open, run, close } = toolsOf(serverFor(['hive'], flags));
  const opened: string[] = [];
  const session = async (args: Record<string, unknown> = {}): Promise<string> => {
    const { session_id: id } = await open(args);
    opened.push(id);
    return id;
  };
  afterEach(() =>
    Promise.all(opened.splice(0).map((session_id) => close({ session_id, force: true }))),
  );

  test('2.7.1 open returns an id, a pid and the shell', async () => {
    const result = await open({ cwd: '/tmp' });
    opened.push(result.session_id);
    expect(result).toEqual({
      session_id: expect.stringMatching(/^pty_[0-9a-f]{10}$/),
      pid: expect.any(Number),
      shell: '/bin/bash',
    });
    expect(await run({ session_id: result.session_id, command: 'pwd; echo $$' })).toMatchObject({
      // In a sandbox a process has another number for itself.
      output: process.env.SANDBOX
        ? expect.stringMatching(/^\/tmp\r\n/)
        : `/tmp\r\n${result.pid}\r\n`,
    });
  });

  test('2.7.2 the result of a command is what it printed, without its echo', async () => {
    const id = await session();
    expect(await run({ session_id: id, command: 'echo hello-pty' })).toEqual({
      output: 'hello-pty\r\n',
      prompt_after: true,
      matched_expect: false,
      next_offset: expect.any(Number),
      timed_out: false,
    });
  });

  test('2.7.3 folder and variables stay', async () => {
    const id = await session();
    await run({ session_id: id, command: 'cd /var && MY=42' });
    expect((await run({ session_id: id, command: 'echo $MY $PWD' })).output).toContain('42 /var');
  });

  test('2.7.4 a REPL is expected by its prompt, typed to raw, and drained once', async () => {
    const id = await session();
    const started = await run({
      session_id: id,
      command: 'python3 -q',
      expect: '>>>\\s*$',
      timeout_sec: 10,
    });
    expect(started).toMatchObject({ matched_expect: true, prompt_after: true, timed_out: false });
    expect(started.output).toMatch(/>>> ?$/);
    expect(await run({ session_id: id, command: "print('hi')\n", raw_send: true })).toEqual({
      bytes_sent: 12,
    });
    const drained = await run({ session_id: id, read_only: true, timeout_sec: 2 });
    expect(drained.output).toContain('hi\r\n');
    expect(drained.output).not.toContain('python3');
    expect(drained.offset).toBe(started.next_offset);
    expect(await run({ session_id: id, read_only: true })).toEqual({
      output: '',
      more: false,
      offset: drained.next_offset,
      next_offset: drained.next_offset,
      timed_out: false,
    });
  });

  test('2.7.5 a second command is rejected because the session is busy', async () => {
    const id = await session();
    const gate = makeGate();
    const first = run({ session_id: id, command: `${gate.wait}; echo over` });
    const second = await run({ session_id: id, command: 'echo no' });
    gate.open();
    expect(second).toEqual({ error: `session busy: session ${id} is busy` });
    expect(await first).toMatchObject({ output: 'over\r\n', timed_out: false });
  });

  test('2.7.5 the first of two commands runs, though its pattern is not compiled yet', async () => {
    const id = await session();
    const first = run({ session_id: id, command: 'echo first', expect: '(?P<w>f)irst\\r' });
    const second = run({ session_id: id, command: 'echo no' });
    expect(await second).toEqual({ error: `session busy: session ${id} is busy` });
    expect(await first).toMatchObject({ matched_expect: true });
  });

  test('2.7.6 a command that takes too long goes on', async () => {
    const id = await session();
    const result = await run({ session_id: id, command: 'sleep 60', timeout_sec: 0.5 });
    expect(result).toMatchObject({ timed_out: true, prompt_after: false, matched_expect: false });
  });

  test('2.7.7 a missing command and an unknown session are errors', async () => {
    const id = await session();
    expect(await run({ session_id: id })).toEqual({
      error: 'command is required unless read_only=True',
    });
    expect(await run({ session_id: 'pty_doesnotexist', command: 'ls' })).toEqual({
      error: 'unknown session_id: pty_doesnotexist',
    });
  });

  test('2.7.8 the exit of a shell is reported once, then its id is unknown', async () => {
    const { session_id: id } = await open({});
    expect(await run({ session_id: id, command: 'exit' })).toMatchObject({ prompt_after: false });
    expect(await run({ session_id: id, command: 'ls' })).toEqual({
      error: `session ${id} has exited`,
    });
    expect(await run({ session_id: id, command: 'ls' })).toEqual({
      error: `unknown session_id: ${id}`,
    });
  });

  test('2.7.9 the ninth session is refused until one is closed', async () => {
    const eight: string[] = [];
    for (let at = 0; at < 8; at++) eight.push(await session());
    expect(await open({})).toEqual({
      error:
        'terminal-tools PTY cap reached (8). Close idle sessions or raise TERMINAL_TOOLS_MAX_PTY.',
    });
    const [first] = opened.splice(opened.indexOf(eight[0]!), 1);
    await close({ session_id: first });
    expect(await session()).toMatch(/^pty_/);
  });

  test('2.7.10 close ends the session, by force too, and once', async () => {
    const { session_id: id } = await open({});
    await run({ session_id: id, command: 'echo last words' });
    expect(await close({ session_id: id })).toEqual({
      exit_code: 0,
      final_output: expect.stringContaining('last words'),
      already_closed: false,
    });
    expect(await close({ session_id: id })).toEqual({ error: `unknown session_id: ${id}` });

    const { session_id: stubborn } = await open({});
    await run({ session_id: stubborn, command: "trap '' TERM; sleep 100", timeout_sec: 0.5 });
    const startedMs = performance.now();
    expect(await close({ session_id: stubborn, force: true })).toMatchObject({
      exit_code: null,
      already_closed: false,
    });
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });

  test('2.7.11 zsh is rejected, and so is any other shell', async () => {
    expect((await open({ shell: '/bin/zsh' })).error).toMatch(
      /^shell='\/bin\/zsh' rejected: terminal-tools is bash-only on POSIX\. Use shell=True/,
    );
    expect(await open({ shell: 'fish' })).toEqual({
      error: "shell='fish' rejected: terminal-tools is bash-only on POSIX.",
    });
    for (const shell of [true, 'bash', '/bin/bash']) await session({ shell });
  });

  testWith('python3')('0.5.2 a Python session, raw line by raw line', async () => {
    const id = await session();
    await run({ session_id: id, command: 'python3', expect: '>>>\\s*$' });
    for (const line of ['x = 42\n', 'print(x*x)\n'])
      await run({ session_id: id, command: line, raw_send: true });
    expect(await drainUntil(run, id, /1764/)).toContain('1764\r\n');
    await run({ session_id: id, command: 'exit()\n', raw_send: true });
    expect(await run({ session_id: id, command: 'echo back' })).toMatchObject({
      output: 'back\r\n',
    });
  });

  test('0.5.2 a folder, a listing, and close', async () => {
    const id = await session();
    await run({ session_id: id, command: 'cd /var/log' });
    const { output } = await run({ session_id: id, command: 'ls -la *.log | head' });
    expect(output).toContain('.log');
  });

  outsideSandbox(asRoot(testWith('sudo', 'setpriv')))(
    '0.5.2 sudo gets its password by raw input',
    async () => {
      const folder = folderWith();
      const scene = await scenes['sudoer, relayed']!(folder);
      try {
        const id = await session({ cwd: '/' });
        const atQuestion = await run({
          session_id: id,
          command: `${scene.env.BECOME} sh -c 'sudo -k && sudo whoami'`,
          // As documented, though Linux asks "[sudo] password for …".
          expect: '[Pp]assword:',
          ...(!mayEndEarly && { timeout_sec: 5 }),
        });
        expect(atQuestion).toMatchObject({ matched_expect: false, timed_out: !mayEndEarly });
        expect(atQuestion.output).toMatch(/password for .*: $/);
        await run({ session_id: id, command: `${PASSWORD}\n`, raw_send: true });
        const { output } = await run({ session_id: id, read_only: true, timeout_sec: 10 });
        expect(output).toContain('root\r\n');
        await close({ session_id: opened.pop()!, force: true });
      } finally {
        await scene.strike();
      }
    },
  );

  outsideSandbox(asRoot(testWith('sshd', 'ssh', 'setpriv')))(
    '0.5.2 ssh to a new host asks, gets a yes, and goes on to the login',
    async () => {
      const folder = folderWith();
      const scene = await scenes.sshd!(folder);
      try {
        const id = await session();
        const atQuestion = await run({
          session_id: id,
          command: `ssh -F ${scene.env.SSH_CONFIG} box`,
          expect: '\\(yes/no.*\\)\\?',
          timeout_sec: 10,
        });
        expect(atQuestion).toMatchObject({ matched_expect: true });
        await run({ session_id: id, command: 'yes\n', raw_send: true });
        const { output } = await run({ session_id: id, read_only: true, timeout_sec: 10 });
        const user = /User (\S+)/.exec(readFileSync(scene.env.SSH_CONFIG!, 'utf8'))![1]!;
        expect(output).toMatch(new RegExp(`[Pp]assword:|${user}@|\\$ $`));
        await close({ session_id: opened.pop()!, force: true });
      } finally {
        await scene.strike();
      }
    },
  );

  test.each([
    [
      'a secret',
      `read -rsp '[sudo] password for ada: ' x; echo "got $x"`,
      /\[sudo\] password for ada: $/,
    ],
    ['a line', `read -p 'Your name: ' x; echo "got $x"`, /Your name: $/],
    ['a line', `python3 -c "print('got', input('Your name: '))"`, /Your name: $/],
    ['a line', 'cat', /cat\r\n$/],
  ])(
    '7.3 a command that asks for %s returns, though neither prompt nor match has come: %s',
    async (what, command, shown) => {
      const id = await session();
      for (const more of [{}, { expect: '[Pp]assword:$' }]) {
        const result = await run({
          session_id: id,
          command,
          ...more,
          ...(!mayEndEarly && { timeout_sec: 1 }),
        });
        expect(result).toEqual({
          output: expect.stringMatching(shown),
          prompt_after: false,
          matched_expect: false,
          next_offset: expect.any(Number),
          timed_out: !mayEndEarly,
          ...(mayEndEarly && {
            note: `the program waits for ${what}: answer it with raw_send=True`,
          }),
        });
        expect(await run({ session_id: id, command: 'ada\n', raw_send: true })).toEqual({
          bytes_sent: 4,
        });
        expect(await drainUntil(run, id, /ada/)).not.toContain('name');
        if (command === 'cat') await run({ session_id: id, command: '\u0004', raw_send: true });
        expect((await run({ session_id: id, command: 'echo next' })).output).toBe('next\r\n');
      }
    },
  );

  test('7.3 at the prompt of bash a pattern is still waited for: a job may print it', async () => {
    const id = await session();
    const gate = makeGate();
    const matched = run({
      session_id: id,
      command: `(echo starting; ${gate.wait}; echo "list""ening") &`,
      expect: 'listening\r\n',
    });
    const other = await session();
    await run({ session_id: other, command: 'sleep 1' });
    gate.open();
    expect(await matched).toMatchObject({ matched_expect: true, timed_out: false });
  });

  test('2.2 what a job prints after the prompt neither delays a command nor is lost', async () => {
    const id = await session();
    // Nothing is typed while it prints: what stands inside an echo cannot be told from it.
    const command = '(for i in {1..200}; do echo "ti""ck"; done; echo "o""ver") &';
    for (let round = 0; round < 10; round++) {
      const result = await run({ session_id: id, command });
      expect(result).toMatchObject({ prompt_after: true, timed_out: false });
      const isOver = /over/.test(result.output);
      const all = result.output + (isOver ? '' : await drainUntil(run, id, /over/));
      expect(all.match(/tick\r\n/g)).toHaveLength(200);
    }
  });

  test('7.2 a drain of a silent, busy program takes two seconds unless told otherwise', async () => {
    const id = await session();
    await run({ session_id: id, command: 'exec sleep 1000', timeout_sec: 0.3 });
    const startedMs = performance.now();
    expect(await run({ session_id: id, read_only: true })).toMatchObject({ output: '' });
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeGreaterThan(1900);
    expect(tookMs).toBeLessThan(20_000);
  });

  test('2.6 several lines run to the last prompt, and the result is only what they print', async () => {
    const id = await session();
    const command = 'echo a\nsleep 0.2\necho b\nfor i in 1 2\ndo echo $i\ndone';
    expect(await run({ session_id: id, command })).toMatchObject({
      output: 'a\r\nb\r\n1\r\n2\r\n',
      timed_out: false,
    });
  });

  test('2.6 after a command that timed out the next one gets its own output', async () => {
    const id = await session();
    const gate = makeGate();
    await run({ session_id: id, command: `${gate.wait}; echo late`, timeout_sec: 0.3 });
    gate.open();
    for (const word of ['one', 'two'])
      expect(await run({ session_id: id, command: `echo ${word}` })).toMatchObject({
        output: `${word}\r\n`,
      });
    expect(await drainUntil(run, id, /late/)).toContain('late\r\n');
  });

  test('2.6 raw text without a newline is sent as it is, with a note', async () => {
    const id = await session();
    expect(await run({ session_id: id, command: 'echo ray', raw_send: true })).toEqual({
      bytes_sent: 8,
      note: 'no trailing newline was sent',
    });
    expect((await run({ session_id: id, command: '' })).output).toBe('ray\r\n');
  });

  test('2.6 the whole result of open is accepted as the id', async () => {
    const result = await open({});
    opened.push(result.session_id);
    expect((await run({ session_id: result, command: 'echo ok' })).output).toBe('ok\r\n');
  });

  test('2.6 expect includes the match; the rest is left for a drain', async () => {
    const id = await session();
    const result = await run({
      session_id: id,
      command: 'printf "%s\\n" ONE two; sleep 0.2; echo three',
      expect: '(?i)\\none\\r\\n',
    });
    expect(result.output).toMatch(/\r\nONE\r\n$/);
    const rest = await drainUntil(run, id, /three/);
    expect(rest).toContain('two\r\nthree\r\n');
    expect(rest).not.toMatch(/ONE|TERMINALTOOLS/);
  });

  test.each([
    ['(?P<day>\\w+day) (?P=day)\\r', 'Friday Friday\r'],
    ['is (?i:JÖRG)[^:]+?urday$', 'is Jörg\r\nFriday Friday\r\nSaturday'],
    ['(?m)^Sat\\w{,5}$', 'Saturday'],
  ])('7.3 expect %s is understood as Python does', async (pattern, end) => {
    const id = await session();
    const command = "printf 'is Jörg\\nFriday Friday\\nSatur%s' day; sleep 5";
    const result = await run({
      session_id: id,
      command,
      expect: pattern,
      timeout_sec: 4,
    });
    expect(result).toMatchObject({ matched_expect: true });
    expect(result.output.endsWith(end)).toBe(true);
  });

  test('7.3 what cannot be translated is refused by name, and nothing is sent', async () => {
    const id = await session();
    const refused = await run({ session_id: id, command: 'echo sent', expect: '(a)?(?(1)b|c)' });
    expect(refused).toEqual({
      error:
        'invalid expect pattern: "(a)?(?(1)b|c)" has (?(…) at character 5, a condition on a group, for which there is nothing here. Write the pattern without it.',
    });
    expect((await run({ session_id: id, read_only: true })).output).not.toContain('sent');
  });

  test('2.5 an invalid pattern and a missing folder are errors', async () => {
    const id = await session();
    expect((await run({ session_id: id, command: 'ls', expect: '(' })).error).toMatch(
      /^invalid expect pattern: /,
    );
    expect(await open({ cwd: '/no/such' })).toEqual({
      error:
        "failed to open session: FileNotFoundError: [Errno 2] No such file or directory: '/no/such'",
    });
    expect(await run({ command: 'ls' })).toEqual({ error: 'session_id is required' });
    expect(await open({ cols: 'wide' })).toEqual({ error: 'cols must be a whole number' });
  });

  test('2.5 a pattern that takes too long is an error, and the command goes on', async () => {
    const id = await session();
    const command = 'printf "%060d\\n" 0 | tr 0 a; echo go""ne';
    const { error } = await run({ session_id: id, command, expect: '(a+)+!', timeout_sec: 60 });
    expect(error).toMatch(/^expect pattern: "\(a\+\)\+!" was given up .* goes on: read_only=True/);
    expect(await drainUntil(run, id, /gone/)).toMatch(/a{60}\r\ngone/);
    expect((await run({ session_id: id, command: 'echo next' })).output).toBe('next\r\n');
  });

  test('a drain returns 64000 bytes at most, and whether there are more', async () => {
    const id = await session();
    const command = "head -c 100000 /dev/zero | tr '\\0' x; echo E''ND; read y\n";
    await run({ session_id: id, command, raw_send: true });
    let all = '';
    let sizes: number[] = [];
    await until('all output has arrived', async () => {
      const {
        output,
        more,
        offset,
        next_offset: next,
      } = await run({
        session_id: id,
        read_only: true,
        timeout_sec: 10,
      });
      expect(next - offset).toBeLessThanOrEqual(64_000);
      sizes = [...sizes, next - offset];
      all += output;
      return !more && all.includes('END');
    });
    expect(sizes).toContain(64_000);
    expect(all.split('\r\n').find((line) => line.startsWith('xxx'))).toMatch(/^x{100000}END$/);
  });

  test('of 50 sessions opened at once eight are opened, the others refused', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => open({})));
    const ids = all.flatMap(({ session_id: id }) => id ?? []);
    opened.push(...ids);
    expect(ids).toHaveLength(8);
    expect(new Set(ids).size).toBe(8);
  });
});

describe('hive in this process', () => {
  const dialects: ReturnType<typeof hive>[] = [];
  const tools = (options: Parameters<typeof hive>[0] = {}) => {
    const dialect = hive(options);
    dialects.push(dialect);
    return toolsOf(inProcess(dialect));
  };
  afterEach(() => Promise.all(dialects.splice(0).map((dialect) => dialect.close())));

  test('2.7.9 an idle session is closed when another is opened', async () => {
    const clock = new JumpingClock();
    const { open, run } = tools({ clock, maxSessions: 2 });
    const { session_id: idle } = await open({ idle_timeout_sec: 1 });
    const { session_id: busy } = await open({ idle_timeout_sec: 1 });
    clock.jump(2000);
    await run({ session_id: busy, read_only: true, timeout_sec: 0 });
    const { session_id: third } = await open({});
    expect(third).toMatch(/^pty_/);
    expect(await run({ session_id: idle, command: 'ls' })).toEqual({
      error: `unknown session_id: ${idle}`,
    });
    expect((await run({ session_id: busy, command: 'echo on' })).output).toBe('on\r\n');
  });

  test('2.4 a session is closed only after half an hour of idleness', async () => {
    const clock = new JumpingClock();
    const { open } = tools({ clock, maxSessions: 1 });
    await open({});
    clock.jump(1_790_000);
    expect((await open({})).error).toMatch(/^terminal-tools PTY cap reached \(1\)/);
    clock.jump(20_000);
    expect((await open({})).session_id).toMatch(/^pty_/);
  });

  test('2.6 after a command whose call was cancelled the next one gets its own output', async () => {
    const { open, run } = tools();
    const { session_id: id } = await open({});
    const gate = makeGate();
    const command = `${gate.wait}; echo late`;
    await expect(run({ session_id: id, command }, AbortSignal.timeout(300))).rejects.toThrow();
    gate.open();
    expect((await run({ session_id: id, command: 'echo next' })).output).toBe('next\r\n');
    expect(await drainUntil(run, id, /late\r\n/)).not.toContain('next\r\nnext');
  });

  test('2.6 after a command has reached its prompt, a drain no longer waits for a reaction to earlier raw text', async () => {
    // With this clock only short waits end. A wait for a reaction would last until the test fails.
    const clock: Clock = {
      now: () => 0,
      after: (ms, callback) => (ms > 50 ? () => {} : systemClock.after(ms, callback)),
    };
    const { open, run } = tools({ clock });
    const { session_id: id } = await open({});
    await run({ session_id: id, command: 'true\n', raw_send: true });
    await run({ session_id: id, command: 'echo on' });
    const command = "printf 'be%s%s' gun ' work'; exec sleep 60";
    await run({ session_id: id, command, expect: 'begun' });
    expect(await drainUntil(run, id, /./)).toMatch(/work$/);
  });

  test('2.2 a command that the guard blocks is not sent', async () => {
    const { open, run } = tools({
      commandGuard: (command) => (command.includes('browser') ? 'BLOCKED: not here.' : undefined),
    });
    const { session_id: id } = await open({});
    expect(await run({ session_id: id, command: 'kill the browser' })).toEqual({
      error: 'BLOCKED: not here.',
      blocked: true,
    });
  });

  test('2.4 of a flood the newest 2 MiB are kept, and the offset shows how much was dropped', async () => {
    const { open, run } = tools({ keptBytes: 100_000 });
    const { session_id: id } = await open({});
    const done = join(folderWith(), 'done');
    await run({ session_id: id, command: `seq 1 100000; touch ${done}; read x\n`, raw_send: true });
    await until('everything is printed', () => existsSync(done));
    let all = '';
    let first: number | undefined;
    await until('everything kept has been drained', async () => {
      const result = await run({ session_id: id, read_only: true, timeout_sec: 5 });
      first ??= result.offset;
      all += result.output;
      return all.includes('\r\n100000\r\n');
    });
    expect(first).toBeGreaterThan(500_000);
    const numbers = all.split('\r\n').slice(1, -1).map(Number);
    expect(numbers).toEqual(numbers.map((_, at) => numbers[0]! + at));
  });
});
