/** The policy holds for the dialects that keep their sessions in the server: the server asks the daemon. */
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import type { RuleText } from '../../../../src/policy/policy.ts';
import { ownDaemon } from '../../../helpers/daemon/own-daemon.ts';
import { writePolicy } from '../../../helpers/daemon/write-policy.ts';
import { caller, connectOverStdio } from '../../../helpers/mcp/doors.ts';

const rules: RuleText[] = [
  { command: '^rm ', then: 'deny', why: 'use trash-put' },
  { command: '^touch ', then: 'ask', why: 'it makes files' },
];

/** A server for one dialect, with a client whose user answers each question with the next of these. */
const begin = async (dialect: string, ...answers: string[]) => {
  const daemon = ownDaemon();
  writePolicy(daemon, rules);
  const client = new Client(
    { name: 'a test', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  );
  const questions: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message);
    return { action: 'accept', content: { answer: answers.shift()! } };
  });
  await connectOverStdio(client, daemon.env, ['--dialect', dialect]);
  onTestFinished(() => client.close());
  const audit = () =>
    readFileSync(daemon.paths.audit, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { call: caller(client), questions, audit, daemon };
};

const DENIED = "the user's policy denies it. Rule 1: use trash-put";
const REFUSED = 'a person was asked, and refused it. Rule 2: it makes files';
const touch = 'touch /nonexistent/a';

test('codex: what is denied is not run or typed, what is asked waits, the rest runs', async () => {
  const { call, questions, audit } = await begin('codex', 'once', 'refuse', 'once', 'refuse');
  const exec = (cmd: string, more = {}) => call('exec_command', { cmd, login: false, ...more });
  expect((await exec('echo $((6 * 7))')).text).toContain('42');
  expect(await exec('echo a; sudo rm x')).toEqual({
    failed: true,
    structured: undefined,
    text: `exec_command failed for \`/bin/bash -c 'echo a; sudo rm x'\`: CreateProcess { message: "This was not run: ${DENIED}" }`,
  });
  expect((await exec(touch)).text).toContain('exited with code 1');
  expect(await exec(touch)).toMatchObject({ failed: true, text: expect.stringContaining(REFUSED) });
  const shell = await exec('exec bash --norc --noprofile', { tty: true });
  const { session_id } = shell.structured;
  const write = (chars: string) => call('write_stdin', { session_id, chars });
  expect((await write('echo $((40 + 2))\n')).text).toContain('42');
  expect(await write('rm x\n')).toMatchObject({
    failed: true,
    text: `write_stdin failed: failed to write to stdin: This was not typed: ${DENIED}`,
  });
  // In pieces it is the same line.
  await write('r');
  expect((await write('m x\n')).text).toContain(DENIED);
  expect((await write(`${touch}\n`)).text).toContain('No such file');
  expect((await write(`${touch}\n`)).text).toContain(REFUSED);
  expect((await write('echo $((40 + 3))\n')).text).toContain('43');
  expect(questions).toHaveLength(4);
  expect(questions[2]).toContain(`session ${session_id}, to bash`);
  const lines = audit();
  const found = (what: string) => lines.filter((line) => line.what === what);
  expect(found('start').map(({ text }) => text)).toContain('echo $((6 * 7))');
  expect(found('input').map(({ text }) => text)).not.toContain('rm x\n');
  expect(found('approval').filter(({ outcome }) => outcome === 'once')).toHaveLength(2);
});

test('hive: a command that is denied is blocked, and the shell goes on', async () => {
  const { call, questions } = await begin('hive', 'once', 'refuse');
  const { session_id } = (await call('terminal_pty_open')).structured;
  const run = async (command: string) =>
    (await call('terminal_pty_run', { session_id, command })).structured;
  expect(await run('echo $((6 * 7))')).toMatchObject({ output: expect.stringContaining('42') });
  const blocked = { error: `BLOCKED: This was not typed: ${DENIED}`, blocked: true };
  expect(await run('rm x')).toEqual(blocked);
  const raw = { session_id, command: 'rm x\n', raw_send: true };
  expect((await call('terminal_pty_run', raw)).structured).toEqual(blocked);
  expect(await run(touch)).toMatchObject({ output: expect.stringContaining('No such file') });
  expect(await run(touch)).toEqual({
    error: `BLOCKED: This was not typed: ${REFUSED}`,
    blocked: true,
  });
  expect(await run('echo $((6 * 8))')).toMatchObject({
    output: expect.stringContaining('48'),
    prompt_after: true,
  });
  expect(questions).toHaveLength(2);
});

test('unified: what is denied is an error of its own shape', async () => {
  const { call, questions } = await begin('unified', 'once', 'refuse');
  const exec = async (cmd: string) => (await call('unified_exec', { cmd })).structured;
  expect(await exec('echo $((6 * 7))')).toMatchObject({ success: true, output: '42\r\n' });
  expect(await exec('rm x')).toEqual({
    success: false,
    error: `Unexpected error: This was not run: ${DENIED}`,
  });
  expect(await exec(touch)).toMatchObject({ success: true, exit_code: 1 });
  const { session_id } = await exec('exec bash --norc --noprofile');
  const write = async (chars: string) =>
    (await call('write_stdin', { session_id, chars })).structured;
  expect(await write('rm x\n')).toEqual({
    success: false,
    error: `Failed to write to session ${session_id}: This was not typed: ${DENIED}`,
  });
  expect(await write(`${touch}\n`)).toEqual({
    success: false,
    error: `Failed to write to session ${session_id}: This was not typed: ${REFUSED}`,
  });
  expect(await write('echo $((40 + 3))\n')).toMatchObject({
    output: expect.stringContaining('43'),
  });
  expect(questions).toHaveLength(2);
});

test('tricode: what is denied is told as an operation that the user has denied', async () => {
  const { call, questions } = await begin('tricode', 'once', 'refuse');
  expect(await call('start_session', { command: 'rm x' })).toMatchObject({
    failed: true,
    text: `Denied: This was not typed: ${DENIED}`,
  });
  expect((await call('list_sessions')).text).toBe('No active sessions');
  const started = await call('start_session', { command: 'echo $((6 * 7))' });
  const session_id = /^Session (\w+) started$/.exec(started.text)?.[1];
  const send = async (input_text: string) =>
    (await call('send_input', { session_id, input_text })).text;
  const read = async () => (await call('read_output', { session_id, timeout: 10 })).text;
  expect(await read()).toBe('42');
  expect(await send('rm x')).toBe(`Denied: This was not typed: ${DENIED}`);
  expect(await send(`${touch} 2>&1`)).toBe(`Input sent to session ${session_id}`);
  expect(await read()).toContain('No such file');
  expect(await send(touch)).toBe(`Denied: This was not typed: ${REFUSED}`);
  expect(await send('echo $((40 + 3))')).toBe(`Input sent to session ${session_id}`);
  expect(await read()).toBe('43');
  expect(questions).toHaveLength(2);
});

test('without an answer of the daemon nothing is started or typed', async () => {
  const { call, daemon } = await begin('tricode');
  const { text } = await call('start_session');
  const session_id = /^Session (\w+) started$/.exec(text)?.[1];
  const pid = await daemon.pid();
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  const sent = call('send_input', { session_id, input_text: 'echo typed' });
  const read = await call('read_output', { session_id, timeout: 1 });
  expect(read.text).toBe('[no output within timeout]');
  process.kill(pid, 'SIGCONT');
  await sent;
});
