/** `repartee mcp --sandbox` confines what it starts; `SANDBOX=workspace npx vitest run test/dialects` holds all contracts. */
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';
import { caller, createClient, environment, MAIN } from '../helpers/mcp/doors.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const test = testWith('bwrap');

const connect = async (dialect: string, ...flags: string[]) => {
  const client = createClient('2025-11-25');
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', '--embedded', '--dialect', dialect, ...flags],
      cwd: folderWith(),
      env: environment(),
      stderr: 'ignore',
    }),
  );
  return caller(client);
};

test.each([
  ['native', 'terminal_run', 'command'],
  ['codex', 'exec_command', 'cmd'],
])(
  'the tools of %s write the folder of the server, and nothing else',
  async (dialect, tool, name) => {
    const call = await connect(dialect, '--sandbox', 'workspace');
    const command = 'touch here && echo made; touch /etc/repartee-test || echo refused';
    const { text } = await call(tool, { [name]: command });
    expect(text).toMatch(/made\s[\s\S]*Read-only file system\s+refused/);
  },
);

test('an agent cannot ask for a looser sandbox than its server has', async () => {
  const call = await connect('native', '--sandbox', 'read-only');
  expect(await call('terminal_open', { sandbox: 'workspace' })).toMatchObject({
    failed: true,
    text: expect.stringContaining('SANDBOX_LOOSER'),
  });
  expect(await call('terminal_run', { command: 'touch x || echo no' })).toMatchObject({
    text: expect.stringContaining('no'),
  });
});

test('a server that cannot be confined as it was told does not start', async () => {
  await expect(connect('native', '--sandbox', 'wrong')).rejects.toThrow();
  await expect(connect('native', '--sandbox', 'workspace', '--workspace', '/')).rejects.toThrow();
});
