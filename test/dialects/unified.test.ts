import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { unified } from '../../src/dialects/unified/dialect.ts';
import { isRunning } from '../helpers/daemon/processes.ts';
import { type Call, inProcess, modes, serverFor } from '../helpers/dialect-agent.ts';
import { JumpingClock } from '../helpers/jumping-clock.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith, makeGate } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const toolsOf = (call: Call) => {
  const tool =
    (name: string) =>
    async (args: Record<string, unknown> = {}) => {
      const { text, structured, failed } = await call(name, args);
      const result = JSON.parse(text);
      expect(text).toBe(JSON.stringify(result, undefined, 2));
      expect(structured).toEqual(result);
      expect(failed).toBe(false);
      return result;
    };
  const write = tool('write_stdin');
  return {
    exec: tool('unified_exec'),
    write,
    close: tool('close_pty_session'),
    list: tool('list_pty_sessions'),
    /** Reads until `isDone`: a busy machine may need longer than an example allows. */
    async readUntil(id: string, first: string, isDone: (all: string, last: Result) => boolean) {
      let all = first;
      let last: Result = { running: true, exit_code: null, output: '' };
      await until('the output is complete', async () => {
        if (isDone(all, last)) return true;
        last = await write({ session_id: id, chars: '', yield_time_ms: 300 });
        all += last.output;
        return isDone(all, last);
      });
      return { all, last };
    },
  };
};

interface Result {
  running: boolean;
  exit_code: number | null;
  output: string;
}

describe.each(modes)('unified, $mode', ({ flags }) => {
  const { exec, write, close, list, readUntil } = toolsOf(serverFor(['unified'], flags));
  afterEach(async () => {
    const { sessions } = await list();
    await Promise.all(
      sessions.map(({ id }: { id: string }) => close({ session_id: id, force: true })),
    );
  });

  test('3.6.1 a command that ends returns its output and its code', async () => {
    const startedMs = performance.now();
    const result = await exec({ cmd: "echo 'hello world'", yield_time_ms: 8000 });
    expect(performance.now() - startedMs).toBeLessThan(7000);
    expect(result).toEqual({
      success: true,
      session_id: expect.stringMatching(/^[0-9a-f]{8}$/),
      output: 'hello world\r\n',
      running: false,
      exit_code: 0,
      truncated: false,
    });
  });

  test('3.6.2 cat repeats a line after its echo', async () => {
    const started = await exec({ cmd: 'cat', yield_time_ms: 200 });
    expect(started).toMatchObject({ running: true, exit_code: null });
    const id = started.session_id;
    const { output } = await write({ session_id: id, chars: 'hi\n', yield_time_ms: 200 });
    const { all } = await readUntil(id, output, (all) => all.split('hi').length === 3);
    expect(all).toBe('hi\r\nhi\r\n');
  });

  testWith('python3')('3.6.3 a Python session', async () => {
    const { session_id: id, output: banner } = await exec({
      cmd: 'python3 -i',
      yield_time_ms: 500,
    });
    await readUntil(id, banner, (all) => all.includes('>>> '));
    const printed = await write({ session_id: id, chars: 'print(2 + 2)\n', yield_time_ms: 200 });
    await readUntil(id, printed.output, (all) => all.includes('4\r\n'));
    const ended = await write({ session_id: id, chars: 'exit()\n', yield_time_ms: 500 });
    const { last } = await readUntil(id, ended.output, (_, { running }) => !running);
    expect(last).toMatchObject({ running: false, exit_code: 0 });
  });

  test('3.6.4 every later read returns the exit code', async () => {
    const gate = makeGate();
    const started = await exec({ cmd: `${gate.wait}; exit 7`, yield_time_ms: 100 });
    expect(started).toMatchObject({ running: true, exit_code: null });
    gate.open();
    const poll = { session_id: started.session_id, chars: '', yield_time_ms: 8000 };
    expect(await write(poll)).toMatchObject({ running: false, exit_code: 7 });
    expect(await write(poll)).toMatchObject({ running: false, exit_code: 7, output: '' });
    expect(await write({ ...poll, chars: 'x' })).toMatchObject({ success: true, exit_code: 7 });
  });

  test('3.6.5 an unknown session is not found', async () => {
    expect(await write({ session_id: 'nonexistent', chars: 'x' })).toEqual({
      success: false,
      error: 'Session nonexistent not found',
    });
  });

  testWith('python3')('3.6.6 output beyond the budget is cut, to the character', async () => {
    const result = await exec({
      cmd: `python3 -c "print('x'*1000)"`,
      yield_time_ms: 8000,
      max_output_tokens: 10,
    });
    expect(result).toMatchObject({
      output: `${'x'.repeat(40)}\n[Output truncated]`,
      truncated: true,
    });
  });

  test('3.6.7 the eleventh session is refused', async () => {
    for (let at = 0; at < 10; at++)
      expect(await exec({ cmd: 'cat' })).toMatchObject({ success: true });
    expect(await exec({ cmd: 'cat' })).toEqual({
      success: false,
      error: 'Maximum PTY sessions (10) reached',
    });
  });

  test('3.6.8 sessions are listed', async () => {
    await exec({ cmd: 'cat' });
    await exec({ cmd: 'exit 3', yield_time_ms: 8000 });
    const { success, sessions } = await list();
    expect(success).toBe(true);
    const entry = {
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      pid: expect.any(Number),
      created_at: expect.any(Number),
      last_activity: expect.any(Number),
      output_buffer_size: 0,
    };
    expect(sessions).toEqual([
      { ...entry, running: true, exit_code: null, command: 'cat' },
      { ...entry, running: false, exit_code: 3, command: 'exit 3' },
    ]);
    expect(Math.abs(sessions[0].created_at - Date.now() / 1000)).toBeLessThan(60);
  });

  test('7.5 output_buffer_size counts what was cut off, in characters', async () => {
    await exec({
      cmd: "printf '%040d\\360\\237\\230\\200' 0",
      yield_time_ms: 8000,
      max_output_tokens: 5,
    });
    const { sessions } = await list();
    expect(sessions[0].output_buffer_size).toBe(41);
  });

  test('3.3 a job that the command has left goes on until the session is closed', async () => {
    const job = `sleep 1000.${randomInt(1e9)}`;
    const { session_id: id } = await exec({
      cmd: `trap '' HUP; ${job} >/dev/null 2>&1 </dev/null &`,
      yield_time_ms: 8000,
    });
    expect(await write({ session_id: id, chars: '' })).toMatchObject({ running: false });
    await until('it runs', () => isRunning(job));
    await close({ session_id: id });
    expect(isRunning(job)).toBe(false);
  });

  test('3.6.9 a closed session is not found', async () => {
    const { session_id: id } = await exec({ cmd: 'sleep 100' });
    const notFound = { success: false, error: `Session ${id} not found` };
    expect(await close({ session_id: id })).toEqual({ success: true });
    expect(await write({ session_id: id, chars: '' })).toEqual(notFound);
    expect(await close({ session_id: id })).toEqual(notFound);
  });

  test('3.6.10 escape sequences are left as they are', async () => {
    const { output } = await exec({
      cmd: "printf '\\033[1;31mRed\\033[0m'",
      yield_time_ms: 8000,
    });
    expect(output).toBe('\u001b[1;31mRed\u001b[0m');
  });

  test('0.5.3 an installer asks, is answered, and sessions are closed in both ways', async () => {
    const folder = folderWith({
      installer:
        '#!/bin/sh\necho Installing\nprintf "Continue? "\nread answer\necho "got $answer"\n',
    });
    const started = await exec({ cmd: `${folder}/installer`, yield_time_ms: 5000 });
    expect(started.output).toContain('Continue? ');
    const id = started.session_id;
    const { output } = await write({ session_id: id, chars: 'yes\n', yield_time_ms: 5000 });
    await readUntil(id, output, (all) => all.includes('got yes'));
    const { session_id: other } = await exec({ cmd: 'cat' });
    const { sessions } = await list();
    expect(sessions.map((session: { id: string }) => session.id)).toEqual([id, other]);
    expect(await close({ session_id: id })).toEqual({ success: true });
    expect(await close({ session_id: other, force: true })).toEqual({ success: true });
    expect(await list()).toEqual({ success: true, sessions: [] });
  });

  test('3.4 a missing folder or shell is reported in the output', async () => {
    for (const [args, what] of [
      [{ workdir: '/no/such' }, '/no/such'],
      [{ shell: '/no/shell' }, '/no/shell'],
    ] as const)
      expect(await exec({ cmd: 'pwd', yield_time_ms: 8000, ...args })).toMatchObject({
        success: true,
        output: `Error executing command: [Errno 2] No such file or directory: '${what}'\r\n`,
        running: false,
        exit_code: 1,
      });
  });

  test('3.3 a signal is reported as its negative number', async () => {
    expect(await exec({ cmd: 'kill -TERM $$', yield_time_ms: 8000 })).toMatchObject({
      running: false,
      exit_code: -15,
    });
  });

  test('3.1 a command is ended after timeout_ms', async () => {
    const started = await exec({ cmd: 'sleep 100', timeout_ms: 500 });
    const { last } = await readUntil(started.session_id, '', (_, { running }) => !running);
    expect(last.exit_code).toBe(-15);
  });

  test.each([
    [{}, 'Unexpected error: cmd is required'],
    [{ cmd: 5 }, 'Unexpected error: cmd must be a string'],
    [
      { cmd: 'ls', yield_time_ms: 'long' },
      'Unexpected error: yield_time_ms must be a whole number from 0',
    ],
  ])('3.4 %j is rejected with the reason, and nothing is started', async (args, error) => {
    expect(await exec(args)).toEqual({ success: false, error });
    expect(await list()).toEqual({ success: true, sessions: [] });
  });

  test('of 50 commands at once ten are started, and every call returns', async () => {
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, at) => exec({ cmd: `echo ${at}; cat`, yield_time_ms: 300 })),
    );
    const started = all.filter(({ success }) => success);
    expect(started).toHaveLength(10);
    const { sessions } = await list();
    expect(sessions).toHaveLength(10);
  });
});

describe('unified in this process', () => {
  const dialects: ReturnType<typeof unified>[] = [];
  const tools = (options: Parameters<typeof unified>[0] = {}) => {
    const dialect = unified(options);
    dialects.push(dialect);
    return toolsOf(inProcess(dialect));
  };
  afterEach(() => Promise.all(dialects.splice(0).map((dialect) => dialect.close())));

  test('3.3 a session unused for five minutes is closed when another is started', async () => {
    const clock = new JumpingClock();
    const { exec, write } = tools({ clock, maxSessions: 2 });
    const { session_id: stale } = await exec({ cmd: 'cat' });
    const { session_id: used } = await exec({ cmd: 'cat' });
    clock.jump(200_000);
    await write({ session_id: used, chars: '' });
    expect((await exec({ cmd: 'cat' })).error).toBe('Maximum PTY sessions (2) reached');
    clock.jump(101_000);
    expect(await exec({ cmd: 'cat' })).toMatchObject({ success: true });
    expect((await write({ session_id: stale, chars: '' })).error).toBe(
      `Session ${stale} not found`,
    );
    expect(await write({ session_id: used, chars: '' })).toMatchObject({ running: true });
  });

  test('3.5 a program that ignores SIGTERM is killed after a second, with force at once', async () => {
    const { exec, close, readUntil } = tools();
    for (const force of [false, true]) {
      const { session_id: id, output } = await exec({
        cmd: "trap '' TERM; echo deaf; sleep 100; sleep 100",
        yield_time_ms: 300,
      });
      await readUntil(id, output, (all) => all.includes('deaf'));
      const startedMs = performance.now();
      expect(await close({ session_id: id, force })).toEqual({ success: true });
      const tookMs = performance.now() - startedMs;
      if (force) expect(tookMs).toBeLessThan(900);
      else expect(tookMs).toBeGreaterThan(900);
    }
  });

  test('3.3 a program gets SIGTERM first and can clean up', async () => {
    const { exec, close, readUntil } = tools();
    const folder = folderWith();
    const { session_id: id, output } = await exec({
      cmd: `trap 'echo bye > ${folder}/last; exit' TERM; echo set; while :; do sleep 0.05; done`,
      yield_time_ms: 300,
    });
    await readUntil(id, output, (all) => all.includes('set'));
    await close({ session_id: id });
    expect(readFileSync(`${folder}/last`, 'utf8')).toBe('bye\n');
  });

  test('3.2 a call returns 13 reads of 4096 bytes, and the rest stays for the next one', async () => {
    const { exec, readUntil } = tools({ strictWaits: true });
    const { session_id: id, output } = await exec({
      cmd: "head -c 120000 /dev/zero | tr '\\0' x; echo; echo END",
      yield_time_ms: 15_000,
      max_output_tokens: 100_000,
    });
    expect(output).toBe('x'.repeat(53_248));
    const { all } = await readUntil(id, output, (all) => all.includes('END'));
    expect(all).toBe(
      `${'x'.repeat(53_248)}${'x'.repeat(40_000)}\n[Output truncated]${'x'.repeat(120_000 - 2 * 53_248)}\r\nEND\r\n`,
    );
  });

  test('0.3 output beyond the limit is dropped, and a marker says so', async () => {
    const { exec } = tools({ keptBytes: 1000 });
    const { output } = await exec({
      cmd: "head -c 5000 /dev/zero | tr '\\0' x",
      yield_time_ms: 15_000,
    });
    expect(output).toBe(`${'x'.repeat(500)}\n... 4000 bytes omitted ...\n${'x'.repeat(500)}`);
  });

  test('0.3 a character that arrives in two pieces is returned whole', async () => {
    const { exec, readUntil } = tools({ strictWaits: true });
    const { session_id: id, output } = await exec({
      cmd: "printf 'a\\303'; sleep 0.5; printf '\\244b'",
      yield_time_ms: 250,
    });
    const { all } = await readUntil(id, output, (_, { running }) => !running);
    expect(all).toBe('aäb');
  });

  test('0.4 a call returns when the program waits for input', async () => {
    const { exec, write } = tools();
    const startedMs = performance.now();
    const { session_id: id } = await exec({ cmd: 'python3 -q', yield_time_ms: 60_000 });
    const { output } = await write({ session_id: id, chars: '6*7\n', yield_time_ms: 60_000 });
    expect(output).toBe('6*7\r\n42\r\n>>> ');
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});
