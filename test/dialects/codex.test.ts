import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { codex } from '../../src/dialects/codex/dialect.ts';
import { isRunning } from '../helpers/daemon/processes.ts';
import {
  type Call,
  type CallResult,
  eventually,
  inProcess,
  modes,
  serverFor,
} from '../helpers/dialect-agent.ts';
import { JumpingClock } from '../helpers/jumping-clock.ts';
import { folderWith, makeGate } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const output = ({ text }: CallResult) =>
  text.slice(text.indexOf('\nOutput:\n') + '\nOutput:\n'.length);

const sessionIn = ({ text }: CallResult): number => {
  const id = Number(/^Process running with session ID (\d+)$/m.exec(text)?.[1]);
  expect(text).not.toContain('Process exited');
  expect(id).toBeGreaterThanOrEqual(1000);
  expect(id).toBeLessThanOrEqual(99_999);
  return id;
};

/** Types `chars` and polls until the output is complete: the machine may be slow. */
const typeAndPoll = (call: Call, id: number, chars: string, isDone: (all: string) => boolean) =>
  eventually(
    call('write_stdin', { session_id: id, chars }),
    () => call('write_stdin', { session_id: id }),
    output,
    isDone,
  );

const waitForExit = (call: Call, id: number, args: Record<string, unknown>) =>
  eventually(
    call('write_stdin', { session_id: id, ...args }),
    () => call('write_stdin', { session_id: id }),
    output,
    (_, { text }) => text.includes('Process exited'),
  );

const STDIN_CLOSED =
  'write_stdin failed: stdin is closed for this session; rerun exec_command with tty=true to keep stdin open';

describe.concurrent.each(modes)('codex, $mode', ({ flags }) => {
  const call = serverFor(['codex'], flags);

  test('1.8.1 a command that ends is answered with its output and its code', async () => {
    const { text, structured } = await call('exec_command', { cmd: 'printf hi' });
    expect(text).toMatch(
      /^Chunk ID: [0-9a-f]{6}\nWall time: \d+\.\d{4} seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\nhi$/,
    );
    expect(structured).toEqual({
      chunk_id: expect.stringMatching(/^[0-9a-f]{6}$/),
      wall_time_seconds: expect.any(Number),
      exit_code: 0,
      original_token_count: 1,
      output: 'hi',
    });
    expect(structured.wall_time_seconds).toBeLessThan(8);
  });

  test('1.8.2 a shell on a terminal answers, exits with its code, and is then unknown', async () => {
    const id = sessionIn(
      await call('exec_command', { cmd: 'bash', tty: true, yield_time_ms: 250 }),
    );
    const { last } = await typeAndPoll(call, id, 'echo A$((1+1))\n', (all) => /A2\r?\n/.test(all));
    expect(sessionIn(last)).toBe(id);
    const { last: exited } = await waitForExit(call, id, { chars: 'exit 5\n' });
    expect(exited.text).toContain('Process exited with code 5');
    expect(exited.text).not.toContain('session ID');
    const { text, failed } = await call('write_stdin', { session_id: id, chars: 'exit 5\n' });
    expect(text).toBe(`write_stdin failed: Unknown process id ${id}`);
    expect(failed).toBe(true);
  });

  test('1.8.3 without a terminal input is refused, and Ctrl-C interrupts', async () => {
    const id = sessionIn(await call('exec_command', { cmd: 'sleep 30', yield_time_ms: 250 }));
    const { text, failed } = await call('write_stdin', { session_id: id, chars: 'x\n' });
    expect(text).toBe(STDIN_CLOSED);
    expect(failed).toBe(true);
    const { last } = await waitForExit(call, id, { chars: '\u0003' });
    expect(last.text).toContain('Process exited with code 130');
  });

  test('1.8.4 a poll ends when the program does', async () => {
    const gate = makeGate();
    const cmd = `${gate.wait}; echo ready; sleep 0.3`;
    const id = sessionIn(await call('exec_command', { cmd, yield_time_ms: 250 }));
    gate.open();
    const result = await call('write_stdin', { session_id: id });
    expect(result.text).toContain('Process exited with code 0');
    expect(output(result)).toBe('ready\n');
  });

  test('1.8.5 a command gets a terminal only if it asks for one', async () => {
    const cmd = "python3 -c 'import sys;print(sys.stdin.isatty())'";
    expect(output(await call('exec_command', { cmd }))).toBe('False\n');
    expect(output(await call('exec_command', { cmd, tty: true }))).toBe('True\r\n');
  });

  test('1.8.6 cat repeats a line after its echo, and ends at Ctrl-D', async () => {
    const id = sessionIn(await call('exec_command', { cmd: 'cat', tty: true, yield_time_ms: 250 }));
    await typeAndPoll(call, id, 'hello\n', (all) => all.split('hello').length === 3);
    const { last } = await waitForExit(call, id, { chars: '\u0004' });
    expect(last.text).toContain('Process exited with code 0');
  });

  test('1.8.7 output beyond the budget is cut in its middle, to the byte', async () => {
    const result = await call('exec_command', {
      cmd: "printf 'token one token two token three token four token five'",
      max_output_tokens: 4,
    });
    expect(result.text).toContain('\nOriginal token count: 14\n');
    expect(output(result)).toBe(
      'Warning: truncated output (original token count: 14)\nTotal output lines: 1\n\ntoken on…10 tokens truncated…ken five',
    );
  });

  test('1.8.8 a failing command is no error', async () => {
    const { text, failed } = await call('exec_command', { cmd: 'exit 17' });
    expect(failed).toBe(false);
    expect(text).toContain('Process exited with code 17\nOriginal token count: 0\n');
    expect(text).toMatch(/Output:\n$/);
  });

  test('1.8.9 an unknown id is reported at once', async () => {
    const startedMs = performance.now();
    const { text, failed } = await call('write_stdin', { session_id: 999999, chars: '' });
    expect(text).toBe('write_stdin failed: Unknown process id 999999');
    expect(failed).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(4000);
  });

  test('1.8.11 a folder that is not there is a failure', async () => {
    const { text, failed } = await call('exec_command', { cmd: 'pwd', workdir: '/no/such' });
    expect(failed).toBe(true);
    expect(text).toMatch(
      /^exec_command failed for `\S+ -lc pwd`: CreateProcess \{ message: ".*No such file or directory/,
    );
  });

  test('0.5.1 refused input, then the recovery on a terminal, then polling', async () => {
    const withoutTty = sessionIn(
      await call('exec_command', { cmd: 'sleep 30', yield_time_ms: 250 }),
    );
    expect((await call('write_stdin', { session_id: withoutTty, chars: 'ls\n' })).text).toBe(
      STDIN_CLOSED,
    );
    const id = sessionIn(
      await call('exec_command', { cmd: 'bash', tty: true, yield_time_ms: 250 }),
    );
    await typeAndPoll(call, id, 'cd /tmp\n', () => true);
    await typeAndPoll(call, id, 'pwd\n', (all) => /\/tmp\r\n/.test(all));
    await typeAndPoll(call, id, '(sleep 2; echo done-$((40+2))) &\n', () => true);
    const polled = await eventually(
      call('write_stdin', { session_id: id, chars: '' }),
      () => call('write_stdin', { session_id: id, chars: '' }),
      output,
      (all) => all.includes('done-42'),
    );
    expect(sessionIn(polled.last)).toBe(id);
    await waitForExit(call, id, { chars: 'exit\n' });
    await waitForExit(call, withoutTty, { chars: '\u0003' });
  });

  test.each([
    [{}, 'failed to parse function arguments: missing field `cmd`'],
    [
      { cmd: 5 },
      'failed to parse function arguments: invalid type: integer `5`, expected a string',
    ],
    [
      { cmd: 'true', tty: 'yes' },
      'failed to parse function arguments: invalid type: string "yes", expected a boolean',
    ],
    [
      { cmd: 'true', yield_time_ms: -1 },
      'failed to parse function arguments: invalid value: integer `-1`, expected u64',
    ],
    [
      { cmd: 'true', max_output_tokens: -1 },
      'failed to parse function arguments: invalid value: integer `-1`, expected usize',
    ],
    [
      { cmd: 'true', yield_time_ms: 1.5 },
      'failed to parse function arguments: invalid type: floating point `1.5`, expected u64',
    ],
    [
      { cmd: 'true', justification: 'because' },
      '`justification` requires an explicit `sandbox_permissions`; use `sandbox_permissions: "require_escalated"` for unsandboxed execution, or omit `justification`.',
    ],
  ])('1.6 %j is rejected with the reason, and nothing is started', async (args, complaint) => {
    expect(await call('exec_command', args)).toMatchObject({ text: complaint, failed: true });
  });

  test('7.4 a justification beside sandbox_permissions has no effect', async () => {
    const { text } = await call('exec_command', {
      cmd: 'true',
      sandbox_permissions: 'require_escalated',
      justification: 'because',
    });
    expect(text).toContain('Process exited with code 0');
  });

  test('7.4 a session_id out of range is an invalid value', async () => {
    expect(await call('write_stdin', { session_id: 2 ** 31 })).toMatchObject({
      text: 'failed to parse function arguments: invalid value: integer `2147483648`, expected i32',
      failed: true,
    });
  });

  test.each([
    ['holds the output open', ''],
    ['writes elsewhere', ' >/dev/null 2>&1 </dev/null'],
    ['ignores a hang-up and SIGTERM', ' >/dev/null', "trap '' HUP TERM; "],
  ])(
    '7.4 a job that %s has ended when the exit is reported',
    async (_, redirection, first = '') => {
      for (const tty of [false, true]) {
        const job = `sleep 1000.${randomInt(1e9)}`;
        const result = await call('exec_command', {
          cmd: `${first}${job}${redirection} & echo begun`,
          login: false,
          tty,
        });
        expect(result.text).toContain('Process exited with code 0');
        expect(output(result)).toContain('begun');
        expect(isRunning(job)).toBe(false);
      }
    },
  );

  test('7.4 a job of a shell has ended when the exit is reported by a later call', async () => {
    const id = sessionIn(
      await call('exec_command', { cmd: 'bash --norc', tty: true, yield_time_ms: 250 }),
    );
    const job = `sleep 1000.${randomInt(1e9)}`;
    await typeAndPoll(call, id, `${job} & echo job=$!\n`, (all) => /job=\d+/.test(all));
    await until('it runs', () => isRunning(job));
    await waitForExit(call, id, { chars: 'exit\n' });
    expect(isRunning(job)).toBe(false);
  });

  test('7.4 the warning counts decoded text, the first count bytes', async () => {
    const result = await call('exec_command', {
      cmd: "printf '\\377%.0s' 1 2 3 4 5 6 7 8",
      login: false,
      max_output_tokens: 3,
    });
    expect(result.text).toContain('\nOriginal token count: 2\n');
    expect(output(result)).toBe(
      'Warning: truncated output (original token count: 6)\nTotal output lines: 1\n\n\ufffd\ufffd…3 tokens truncated…\ufffd\ufffd',
    );
  });

  test('1.6 a missing session_id is reported in the same way', async () => {
    expect(await call('write_stdin', { chars: 'x' })).toMatchObject({
      text: 'failed to parse function arguments: missing field `session_id`',
      failed: true,
    });
  });

  test('50 commands at once are each answered with their own output', async () => {
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        call('exec_command', { cmd: `echo number-${at}`, login: false, tty: at % 2 === 0 }),
      ),
    );
    expect(all.map((result) => output(result).trim())).toEqual(
      Array.from({ length: 50 }, (_, at) => `number-${at}`),
    );
  });
});

describe('codex in this process', () => {
  const dialects: ReturnType<typeof codex>[] = [];
  const open = (options: Parameters<typeof codex>[0] = {}) => {
    const dialect = codex(options);
    dialects.push(dialect);
    return inProcess(dialect);
  };
  afterEach(() => Promise.all(dialects.splice(0).map((dialect) => dialect.close())));

  test('1.8.10 the 65th session replaces the least recently used one', async () => {
    const call = open();
    const ids: number[] = [];
    const start = () =>
      call('exec_command', { cmd: 'cat', tty: true, login: false, yield_time_ms: 250 });
    for (let at = 0; at < 64; at += 8)
      for (const result of await Promise.all(Array.from({ length: 8 }, start)))
        ids.push(sessionIn(result));
    // Sessions of one batch start at the same time. This puts the first two in a known order.
    const [first, second] = [ids[0]!, ids[1]!];
    for (const id of ids.slice(1)) await call('write_stdin', { session_id: id, chars: 'a\n' });
    await typeAndPoll(call, first, 'still\n', (all) => all.split('still').length === 3);
    const last = sessionIn(await start());
    const { text } = await call('write_stdin', { session_id: second, chars: 'b\n' });
    expect(text).toBe(`write_stdin failed: Unknown process id ${second}`);
    await typeAndPoll(call, first, 'here\n', (all) => all.split('here').length === 3);
    await typeAndPoll(call, last, 'new\n', (all) => all.split('new').length === 3);
  }, 60_000);

  test('1.5 a session that has exited is pruned before one that runs', async () => {
    const call = open({ maxSessions: 3, protectedSessions: 1 });
    const start = async (cmd: string) =>
      sessionIn(await call('exec_command', { cmd, tty: true, login: false, yield_time_ms: 250 }));
    const runs = await start('cat');
    const file = join(folderWith(), 'pid');
    const ends = await start(`echo $$ > ${file}; read x`);
    const other = await start('cat');
    const pid = readFileSync(file, 'utf8').trim();
    process.kill(Number(pid));
    await until('the program is gone', () => !existsSync(`/proc/${pid}`));
    await start('cat');
    expect((await call('write_stdin', { session_id: ends })).text).toContain('Unknown process id');
    await typeAndPoll(call, runs, 'x\n', (all) => all.includes('x'));
    await typeAndPoll(call, other, 'x\n', (all) => all.includes('x'));
  });

  test('1.4 a background job that holds the output open delays the result only for a moment', async () => {
    const call = open();
    const result = await call('exec_command', { cmd: '(sleep 20 &) ; echo done', login: false });
    expect(result.text).toContain('Process exited with code 0');
    expect(output(result)).toBe('done\n');
    expect(result.structured.wall_time_seconds).toBeLessThan(5);
  });

  test('1.4 a signal is reported as 128 plus its number, with a terminal and without', async () => {
    const call = open();
    for (const tty of [true, false]) {
      const { text } = await call('exec_command', { cmd: 'kill -TERM $$', login: false, tty });
      expect(text).toContain('Process exited with code 143');
    }
  });

  test('1.4 calls to one session queue, and after the exit was reported the id is unknown', async () => {
    const call = open();
    const gate = makeGate();
    const cmd = `${gate.wait}; exit 4`;
    const id = sessionIn(await call('exec_command', { cmd, login: false, yield_time_ms: 250 }));
    const calls = Promise.all([
      call('write_stdin', { session_id: id }),
      call('write_stdin', { session_id: id }),
    ]);
    gate.open();
    const [one, other] = await calls;
    expect(one.text).toContain('Process exited with code 4');
    expect(other.text).toBe(`write_stdin failed: Unknown process id ${id}`);
  });

  test('1.4 the environment is that of the contract', async () => {
    const call = open();
    const result = await call('exec_command', {
      cmd: 'echo "$NO_COLOR|$TERM|$LANG|$LC_CTYPE|$LC_ALL|$COLORTERM|$PAGER|$GIT_PAGER|$GH_PAGER|$CODEX_CI"',
      login: false,
    });
    expect(output(result)).toBe('1|dumb|C.UTF-8|C.UTF-8|C.UTF-8||cat|cat|cat|1\n');
  });

  test('1.5 of 3 MiB the first and last 512 KiB are kept, and cut to the budget by the byte', async () => {
    const call = open();
    const bytes = 3 * 1024 * 1024;
    const result = await call('exec_command', {
      cmd: `head -c ${bytes} /dev/zero | tr '\\0' x`,
      login: false,
      yield_time_ms: 30_000,
    });
    const omitted = bytes - 1024 * 1024;
    const marker = `... ${omitted} bytes omitted ...`;
    const shown = 1024 * 1024 + `\n${marker}\n`.length;
    const removed = Math.ceil((shown - 40_000) / 4);
    expect(result.text).toContain(`\nOriginal token count: ${bytes / 4}\n`);
    expect(output(result)).toBe(
      `Warning: truncated output (original token count: ${bytes / 4})\n${marker}\n\n` +
        `${'x'.repeat(20_000)}…${removed} tokens truncated…${'x'.repeat(20_000)}`,
    );
  });

  test('1.5 a budget of nothing leaves the count', async () => {
    const call = open();
    const result = await call('exec_command', {
      cmd: 'printf 12345',
      login: false,
      max_output_tokens: 0,
    });
    expect(output(result)).toBe(
      'Warning: truncated output (original token count: 2)\nTotal output lines: 1\n\n…2 tokens truncated…',
    );
  });

  test('1.2 a poll waits five seconds at least and five minutes at most', async () => {
    const clock = new JumpingClock();
    const call = open({ clock });
    const id = sessionIn(
      await call('exec_command', { cmd: 'sleep 100', login: false, yield_time_ms: 250 }),
    );
    for (const [requestedMs, expectedSeconds] of [
      [1, 5],
      [undefined, 5],
      [10_000_000, 300],
    ] as const) {
      const polled = call('write_stdin', {
        session_id: id,
        ...(requestedMs !== undefined && { yield_time_ms: requestedMs }),
      });
      let isDone = false;
      void polled.then(() => {
        isDone = true;
      });
      await until('the poll waits', () => clock.pending > 0);
      clock.jump(expectedSeconds * 1000 - 2000);
      await nextTurn();
      expect(isDone).toBe(false);
      clock.jump(2000);
      const { structured } = await polled;
      expect(Math.round(structured.wall_time_seconds)).toBe(expectedSeconds);
    }
  });

  test('0.4 a call returns when the program waits for input; a poll of an idle program waits its full time', async () => {
    const call = open({ pollMinMs: 700 });
    const startedMs = performance.now();
    const id = sessionIn(
      await call('exec_command', { cmd: 'python3 -q', tty: true, yield_time_ms: 30_000 }),
    );
    const result = await call('write_stdin', {
      session_id: id,
      chars: 'print(6*7)\n',
      yield_time_ms: 30_000,
    });
    expect(output(result)).toBe('print(6*7)\r\n42\r\n>>> ');
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    const idle = await call('write_stdin', { session_id: id });
    expect(idle.structured.wall_time_seconds).toBeGreaterThanOrEqual(0.69);
  });

  test('0.3 a cancelled call loses no output', async () => {
    const call = open({ strictWaits: true });
    const id = sessionIn(
      await call('exec_command', { cmd: 'cat', tty: true, login: false, yield_time_ms: 250 }),
    );
    const cancelled = call(
      'write_stdin',
      { session_id: id, chars: 'kept\n', yield_time_ms: 30_000 },
      AbortSignal.timeout(300),
    );
    await expect(cancelled).rejects.toThrow();
    await typeAndPoll(call, id, '\n', (all) => all.split('kept').length === 3);
  });

  test('1.6 what the host does not allow is rejected with the reason', async () => {
    const call = open({ allowLogin: false, allowTty: false });
    expect((await call('exec_command', { cmd: 'true', login: true })).text).toBe(
      'login shell is disabled by config; omit `login` or set it to false.',
    );
    expect((await call('exec_command', { cmd: 'true', tty: true })).text).toBe(
      'TTY execution is disabled by config; omit `tty` or set it to false.',
    );
    expect((await call('exec_command', { cmd: 'true' })).text).toContain('exited with code 0');
  });
});
