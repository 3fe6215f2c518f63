import { describe, expect, test } from 'vitest';
import { type Call, modes, serverFor } from '../helpers/dialect-agent.ts';

const writeStdin = (call: Call, session_id: unknown, chars = '') =>
  call('write_stdin', { session_id, chars, yield_time_ms: 250 });

describe.each(modes)('several dialects at once, $mode', ({ flags }) => {
  const call = serverFor(['unified', 'codex', 'hive', 'tricode'], flags);

  test('0.1 write_stdin goes to codex by a number, to unified by a string', async () => {
    const { structured: codex } = await call('exec_command', {
      cmd: 'cat',
      tty: true,
      login: false,
      yield_time_ms: 250,
    });
    const { structured: unified } = await call('unified_exec', { cmd: 'cat' });

    const toCodex = await writeStdin(call, codex.session_id, 'a\n');
    expect(toCodex.text).toMatch(/^Chunk ID: /);
    const toUnified = await writeStdin(call, unified.session_id, 'b\n');
    expect(JSON.parse(toUnified.text)).toMatchObject({ success: true, running: true });
    // A string of digits that names a codex session goes to codex.
    const byDigits = await writeStdin(call, String(codex.session_id), 'c\n');
    expect(byDigits.text).toContain(`Process running with session ID ${codex.session_id}`);

    expect((await writeStdin(call, 123456)).text).toBe(
      'write_stdin failed: Unknown process id 123456',
    );
    expect(JSON.parse((await writeStdin(call, '123456')).text)).toEqual({
      success: false,
      error: 'Session 123456 not found',
    });
    expect((await call('write_stdin', {})).text).toBe(
      'failed to parse function arguments: missing field `session_id`',
    );
    await writeStdin(call, codex.session_id, '\u0004');
    await call('close_pty_session', { session_id: unified.session_id });
  });

  test('0.1 a session belongs to the dialect that opened it', async () => {
    const { structured: unified } = await call('unified_exec', { cmd: 'cat' });
    const id = unified.session_id;
    expect((await call('read_output', { session_id: id })).text).toBe(`Session ${id} not found`);
    expect(
      (await call('terminal_pty_run', { session_id: id, read_only: true })).structured,
    ).toEqual({ error: `unknown session_id: ${id}` });
    const { text } = await call('start_session', { command: '' });
    const tricode = text.split(' ')[1]!;
    expect((await call('close_pty_session', { session_id: tricode })).structured).toEqual({
      success: false,
      error: `Session ${tricode} not found`,
    });
    expect((await call('list_pty_sessions')).structured.sessions).toHaveLength(1);
    await call('close_pty_session', { session_id: id });
    await call('close_session', { session_id: tricode });
  });
});
