import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { caller, environment, MAIN, overStdio } from '../helpers/mcp/doors.ts';

test('a server can serve several dialects at once', async () => {
  const dialects = ['native', 'codex', 'unified'].flatMap((name) => ['--dialect', name]);
  const { client, close } = await overStdio('2025-11-25', dialects);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['terminal_open', 'exec_command', 'unified_exec']));
  expect(names.filter((name) => name === 'write_stdin')).toHaveLength(1);
  const call = caller(client);
  expect((await call('terminal_list')).structured).toMatchObject({ sessions: [] });
  expect((await call('exec_command', { cmd: 'echo from codex' })).text).toMatch(/from codex/);
  await close();
});

test('a dialect that does not exist is refused with the names of those that do', () => {
  const args = [MAIN, 'mcp', '--embedded', '--dialect', 'klingon'];
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment() });
  expect(status).toBe(2);
  expect(stderr.toString()).toMatch(/--dialect klingon: say native, codex/);
});
