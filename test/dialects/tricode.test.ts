import { afterEach, describe, expect, test } from 'vitest';
import { scenes } from '../../conversations/scenes.ts';
import { tricode } from '../../src/dialects/tricode/dialect.ts';
import { type Call, inProcess, modes, serverFor } from '../helpers/dialect-agent.ts';
import { JumpingClock } from '../helpers/jumping-clock.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith, makeGate } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const NO_OUTPUT = '[no output within timeout]';

const toolsOf = (call: Call) => {
  const text = async (tool: string, args: Record<string, unknown> = {}) =>
    (await call(tool, args)).text;
  const start = (command: string, more: object = {}) => text('start_session', { command, ...more });
  const read = (id: string, timeout?: number) =>
    text('read_output', { session_id: id, ...(timeout !== undefined && { timeout }) });
  return {
    start,
    /** The id of a new session. */
    async session(command = ''): Promise<string> {
      const output = await start(command);
      expect(output).toMatch(/^Session [0-9a-f]{8} started$/);
      return output.split(' ')[1]!;
    },
    send: (id: string, input: string) => text('send_input', { session_id: id, input_text: input }),
    read,
    close: (id: string) => text('close_session', { session_id: id }),
    list: () => text('list_sessions'),
    call,
    /** Reads until there are `count` lines: a busy machine may need more than one read. */
    async lines(id: string, count: number): Promise<string[]> {
      const lines: string[] = [];
      await until(`${count} lines`, async () => {
        const output = await read(id);
        if (output !== NO_OUTPUT) lines.push(...output.split('\n'));
        return lines.length >= count;
      });
      return lines;
    },
  };
};

describe.each(modes)('tricode, $mode', ({ flags }) => {
  const { start, session, send, read, close, list, call, lines } = toolsOf(
    serverFor(['tricode'], flags),
  );
  afterEach(async () => {
    for (const line of (await list()).split('\n'))
      if (line.includes(':')) await close(line.split(':')[0]!);
  });

  test('4.5.1 a plain shell reads lines and prints lines', async () => {
    const id = await session();
    expect(await send(id, 'cd /tmp')).toBe(`Input sent to session ${id}`);
    await send(id, 'pwd');
    expect(await lines(id, 1)).toEqual(['/tmp']);
  });

  testWith('python3')('4.5.2 the shell remains after its first command', async () => {
    const id = await session("python3 -c 'print(1)'");
    expect(await lines(id, 1)).toEqual(['1']);
    expect(await list()).toMatch(new RegExp(`^${id}: alive, `));
  });

  test('4.5.3 stdout and stderr are returned as lines, once', async () => {
    const id = await session();
    await send(id, 'echo hi; echo err >&2');
    expect(await lines(id, 2)).toEqual(['hi', 'err']);
    expect(await read(id, 1)).toBe(NO_OUTPUT);
  });

  test('4.5.4 a read is cut at 4096 bytes, and nothing is lost', async () => {
    const id = await session();
    await send(id, 'seq 1 3000');
    const first = await read(id, 15);
    expect(first).toMatch(/\n1041\n\[output truncated at 4096 bytes\]$/);
    const all = first.split('\n');
    await until('all lines have arrived', async () => {
      const output = await read(id);
      if (output !== NO_OUTPUT) all.push(...output.split('\n'));
      return all.includes('3000');
    });
    expect(all.filter((line) => !line.startsWith('['))).toEqual(
      Array.from({ length: 3000 }, (_, at) => String(at + 1)),
    );
    expect(all[1042]).toBe('1042');
  });

  test('4.5.5 a session that has ended is closed like others', async () => {
    const id = await session('exit 3');
    await until('it has ended', async () => (await list()).includes('dead'));
    expect(await call('send_input', { session_id: id, input_text: 'x' })).toMatchObject({
      text: `Session ${id} has terminated`,
      failed: true,
    });
    expect(await close(id)).toBe(`Session ${id} closed`);
    expect(await call('close_session', { session_id: id })).toMatchObject({
      text: `Session ${id} not found`,
      failed: true,
    });
  });

  test('4.5.6 the fourth session is refused, also if others have ended', async () => {
    await session();
    await session('exit');
    await session();
    expect(await call('start_session', { command: '' })).toMatchObject({
      text: 'Maximum 3 sessions reached. Close existing sessions first.',
      failed: true,
    });
  });

  test('4.5.7 sessions are listed', async () => {
    expect(await list()).toBe('No active sessions');
    await session();
    expect(await list()).toMatch(/^[0-9a-f]{8}: alive, age=\d+s, idle=\d+s$/);
  });

  test('4.5.9 a shell that does not exist is an error', async () => {
    expect(await start('', { shell: '/nonexistent/sh' })).toBe(
      "Failed to start session: [Errno 2] No such file or directory: '/nonexistent/sh'",
    );
    expect(await list()).toBe('No active sessions');
  });

  testWith('python3')('4.5.10 there is no terminal', async () => {
    const id = await session();
    await send(id, "python3 -c 'import sys;print(sys.stdin.isatty())'");
    expect(await lines(id, 1)).toEqual(['False']);
  });

  test('0.5.4 a shell with cd and ls', async () => {
    const folder = folderWith({ one: '', two: '' });
    const id = await session();
    await send(id, `cd ${folder}`);
    await send(id, 'ls');
    expect(await lines(id, 2)).toEqual(['one', 'two']);
  });

  testWith('socat')('0.5.4 a container-like shell is fed commands line by line', async () => {
    const scene = await scenes.container!(folderWith());
    try {
      const id = await session(`socat - UNIX-CONNECT:${scene.env.SOCKET}`);
      for (const command of ['cd /', 'echo "in $PWD"']) await send(id, command);
      let all = '';
      await until('the shell has answered', async () => {
        all += `${await read(id)}\n`;
        return all.includes('in /');
      });
      await close(id);
    } finally {
      await scene.strike();
    }
  });

  test('4.2 an incomplete line waits for its end, or for the end of all output', async () => {
    const id = await session();
    await send(id, "printf 'half'");
    expect(await read(id, 1)).toBe(NO_OUTPUT);
    await send(id, "printf ' and half  \\nlast'; exit");
    expect(await lines(id, 2)).toEqual(['half and half', 'last']);
    expect(await read(id, 1)).toBe(NO_OUTPUT);
  });

  test('7.1 each state of a progress bar is a line, though no line feed comes', async () => {
    const id = await session();
    const gate = makeGate();
    await send(id, `printf '10%%\\r50%%\\r90%%\\r'; ${gate.wait}; printf '100%%\\r\\ndone\\r\\n'`);
    expect(await lines(id, 2)).toEqual(['10%', '50%']);
    // The return after 90% may still become the beginning of \r\n.
    expect(await read(id, 1)).toBe(NO_OUTPUT);
    gate.open();
    expect(await lines(id, 3)).toEqual(['90%', '100%', 'done']);
  });

  test('7.1 a return at the very end ends its line too', async () => {
    const id = await session("printf 'last\\r'; exit");
    expect(await lines(id, 1)).toEqual(['last']);
    expect(await read(id, 1)).toBe(NO_OUTPUT);
  });

  test('7.1 a session needs no command', async () => {
    for (const args of [{}, { command: null }]) {
      const { text, failed } = await call('start_session', args);
      expect(failed).toBe(false);
      const id = text.split(' ')[1]!;
      await send(id, 'echo plain');
      expect(await lines(id, 1)).toEqual(['plain']);
    }
  });

  test('4.2 a read with a timeout of 0 returns nothing', async () => {
    const id = await session('echo x');
    expect(await read(id, 0)).toBe(NO_OUTPUT);
    expect(await lines(id, 1)).toEqual(['x']);
  });

  test.each([
    ['start_session', { command: 5 }, 'command must be a string'],
    ['send_input', { session_id: '12345678' }, 'input_text is required'],
    ['read_output', { session_id: 5 }, 'session_id must be a string'],
    ['read_output', { session_id: '12345678' }, 'Session 12345678 not found'],
  ])('4.3 %s %j is rejected with the reason', async (tool, args, message) => {
    expect(await call(tool, args)).toMatchObject({ text: message, failed: true });
  });

  test('of 50 sessions started at once three start, the others are refused', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => start('')));
    expect(all.filter((output) => output.endsWith(' started'))).toHaveLength(3);
    expect((await list()).split('\n')).toHaveLength(3);
  });
});

describe('tricode in this process', () => {
  const dialects: ReturnType<typeof tricode>[] = [];
  const tools = (options: Parameters<typeof tricode>[0] = {}) => {
    const dialect = tricode(options);
    dialects.push(dialect);
    return toolsOf(inProcess(dialect));
  };
  afterEach(() => Promise.all(dialects.splice(0).map((dialect) => dialect.close())));

  test('reading and listing are marked as not destructive', async () => {
    const { tools: all, close } = tricode();
    const harmless = all.filter(({ hints }) => !hints.destructive).map(({ name }) => name);
    expect(harmless).toEqual(['read_output', 'list_sessions']);
    await close();
  });

  test('4.5.8 a session unused for 41 seconds is gone', async () => {
    const clock = new JumpingClock();
    const { session, send } = tools({ clock });
    const id = await session();
    clock.jump(25_000);
    expect(await send(id, 'true')).toBe(`Input sent to session ${id}`);
    clock.jump(41_000);
    expect(await send(id, 'true')).toBe(`Session ${id} not found`);
  });

  test('4.5.8 a session read every 20 seconds lives past 60 seconds, but not past 310', async () => {
    const clock = new JumpingClock();
    const { session, read, list } = tools({ clock });
    const id = await session();
    for (let seconds = 20; seconds <= 280; seconds += 20) {
      clock.jump(20_000);
      expect(await read(id, 0)).toBe(NO_OUTPUT);
    }
    expect(await list()).toMatch(/: alive, age=2[89]\ds, idle=0s$/);
    clock.jump(20_000);
    await read(id, 0);
    clock.jump(11_000);
    expect(await read(id, 0)).toBe(`Session ${id} not found`);
    expect(await list()).toBe('No active sessions');
  });

  test('4.4 a close ends a read in progress', async () => {
    const { session, read, close } = tools();
    const id = await session();
    const reading = read(id, 600);
    expect(await close(id)).toBe(`Session ${id} closed`);
    expect(await reading).toBe(`Session ${id} not found`);
  });

  test('0.3 output beyond the limit is dropped, and a line says so', async () => {
    const { session, lines, list } = tools({ keptBytes: 1000 });
    const id = await session("head -c 3000 /dev/zero | tr '\\0' x; echo; exit");
    await until('it has printed all', async () => (await list()).includes('dead'));
    const all = await lines(id, 3);
    expect(all).toEqual(['x'.repeat(500), '... 2001 bytes omitted ...', 'x'.repeat(499)]);
  });
});
