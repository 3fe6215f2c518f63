import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../../src/dialects/dialect-names.ts';
import { foreignDialects } from '../../src/dialects/foreign-dialects.ts';
import { mergeDialects } from '../../src/dialects/merge-dialects.ts';
import { dialect } from '../../src/index.ts';
import { environment, MAIN, overStdio } from '../helpers/mcp/doors.ts';
import { until } from '../helpers/until.ts';

const names = {
  codex: ['exec_command', 'write_stdin'],
  hive: ['terminal_pty_open', 'terminal_pty_run', 'terminal_pty_close'],
  unified: ['unified_exec', 'write_stdin', 'close_pty_session', 'list_pty_sessions'],
  tricode: ['start_session', 'send_input', 'read_output', 'close_session', 'list_sessions'],
};

describe.each(dialectNames)('the dialect %s', (name) => {
  test('offers exactly its tools, with its own required parameters', async () => {
    const { tools, close } = dialect(name);
    expect(tools.map((tool) => tool.name)).toEqual(names[name]);
    for (const { input, description } of tools) {
      const { properties = {}, required = [] } = input as {
        properties?: object;
        required?: string[];
      };
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
      expect(description.length).toBeGreaterThan(50);
    }
    await close();
  });

  test('has a skill, and the command line prints it', () => {
    const { skill } = foreignDialects[name];
    for (const tool of names[name]) expect(skill).toContain(tool.replace(/^terminal_pty/, ''));
    const args = [MAIN, 'skill', '--dialect', name];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe(skill);
  });

  test('is served alone, and its sessions end with the server', async () => {
    const { client, close } = await overStdio('2025-11-25', ['--dialect', name]);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(names[name]);
    const marker = newMarker();
    await start(name, `sleep ${marker}`, async (tool, args) => {
      const { structuredContent } = await client.callTool({ name: tool, arguments: args });
      return structuredContent;
    });
    await until('it runs', () => isRunning(marker));
    await close();
    await until('it has ended', () => !isRunning(marker));
  });

  test('has ended its sessions when close resolves', async () => {
    const { tools, close } = dialect(name);
    const marker = newMarker();
    await start(name, `sleep ${marker}`, async (tool, args) => {
      const { structured } = await tools
        .find((candidate) => candidate.name === tool)!
        .run(args, {});
      return structured;
    });
    await until('it runs', () => isRunning(marker));
    await close();
    expect(isRunning(marker)).toBe(false);
  });
});

const newMarker = () => `4${Math.floor(Math.random() * 1e8)}`;

type CallTool = (tool: string, args: Record<string, unknown>) => Promise<unknown>;

const start = async (name: keyof typeof names, cmd: string, call: CallTool): Promise<void> => {
  const result = await call(...startCall(name, cmd));
  if (name !== 'hive') return;
  const { session_id } = result as { session_id: string };
  await call('terminal_pty_run', { session_id, command: `${cmd}\n`, raw_send: true });
};

const startCall = (name: keyof typeof names, cmd: string): [string, Record<string, unknown>] => {
  if (name === 'hive') return ['terminal_pty_open', {}];
  if (name === 'tricode') return ['start_session', { command: cmd }];
  return name === 'codex'
    ? ['exec_command', { cmd, yield_time_ms: 250 }]
    : ['unified_exec', { cmd }];
};

const isRunning = (marker: string): boolean =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(`\nsleep ${marker}\n`);

test('an unknown dialect is rejected with the names of those that exist', () => {
  const run = (args: string[]) => {
    try {
      execFileSync(process.execPath, [MAIN, ...args], {
        env: environment(),
        stdio: 'pipe',
        encoding: 'utf8',
      });
      return '';
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
  };
  for (const command of ['mcp', 'skill'])
    expect(run([command, '--dialect', 'klingon'])).toContain(
      '--dialect klingon: say native, codex, hive, unified or tricode.',
    );
});

test('write_stdin is shared only if both dialects are served', async () => {
  const [codex, unified, hive] = [dialect('codex'), dialect('unified'), dialect('hive')];
  expect(mergeDialects([codex, hive])).toEqual([codex, hive]);
  const tools = mergeDialects([hive, unified, codex]).flatMap((dialect) => dialect.tools);
  expect(tools.filter(({ name }) => name === 'write_stdin')).toHaveLength(1);
  expect(tools).toHaveLength(3 + 4 + 1);
  await Promise.all([codex, unified, hive].map((dialect) => dialect.close()));
});
