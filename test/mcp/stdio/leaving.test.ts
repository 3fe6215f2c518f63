import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readProcessStat } from '../../../src/system/proc/process-stat.ts';
import { isAlive, processesWith } from '../../helpers/daemon/processes.ts';
import { RawServer } from '../../helpers/mcp/raw-client.ts';
import { until } from '../../helpers/until.ts';

/** One of its programs ignores the hang-up, one has left the terminal, for a while. */
const stubborn = `trap '' HUP; setsid sleep 100 & echo "$! $$"; sleep 1000`;

const serverWithProcesses = async () => {
  const server = new RawServer();
  await server.initialize();
  await server.call(1, 'terminal_open', { name: 'one', command: stubborn, timeout_ms: 0 });
  const { structuredContent } = await server.call(2, 'terminal_read', {
    session: 'one',
    match: '\\d+ \\d+',
    timeout_ms: 10_000,
  });
  const [left, stayed]: [number, number] = structuredContent.matched.split(' ').map(Number);
  onTestFinished(() => void process.kill(left, 'SIGKILL'));
  expect([left, stayed].every(isAlive)).toBe(true);
  await until('setsid has become sleep', () => readProcessStat(left)?.name === 'sleep');
  return { server, left, stayed };
};

describe('when the client disconnects', () => {
  test.each<[how: string, disconnect: (server: RawServer) => void]>([
    ['it closes stdin', ({ process }) => process.stdin!.end()],
    ['it closes stdin in the middle of a message', ({ process }) => process.stdin!.end('{"id')],
    ['it sends SIGTERM', ({ process }) => process.kill('SIGTERM')],
    ['it sends SIGINT', ({ process }) => process.kill('SIGINT')],
    ['it sends SIGHUP', ({ process }) => process.kill('SIGHUP')],
    [
      'it no longer reads, and the server writes something',
      (server) => {
        server.process.stdout!.destroy();
        server.send({ id: 9, method: 'tools/list' });
      },
    ],
  ])('%s: the server ends its sessions, and names what has left them', async (_, disconnect) => {
    const { server, left, stayed } = await serverWithProcesses();
    disconnect(server);
    await server.exited;
    expect(server.process.exitCode).toBe(0);
    await until('its program is gone', () => !isAlive(stayed));
    expect(server.log).toContain(`goes on: sleep (pid ${left})`);
    expect(isAlive(left)).toBe(true);
  });

  test('while sessions are being opened: what survives is named', async () => {
    const server = new RawServer();
    await server.initialize();
    const mark = randomUUID();
    for (let id = 1; id <= 10; id++)
      server.send({
        id,
        method: 'tools/call',
        params: { name: 'terminal_open', arguments: { command: stubborn, env: { mark } } },
      });
    server.process.stdin!.end();
    await server.exited;
    expect(server.process.exitCode).toBe(0);
    const left = processesWith(`mark=${mark}`);
    for (const pid of left) {
      // It may not have become sleep yet.
      expect(server.log).toMatch(new RegExp(`(?:setsid|sleep) \\(pid ${pid}\\)`));
      process.kill(pid, 'SIGKILL');
    }
  });

  test('in the middle of a wait: the server ends at once', async () => {
    const { server, stayed } = await serverWithProcesses();
    server.send({
      id: 5,
      method: 'tools/call',
      params: { name: 'terminal_wait', arguments: { sessions: ['one'], timeout_ms: 600_000 } },
    });
    expect((await server.call(6, 'terminal_list')).structuredContent.sessions).toHaveLength(1);
    server.process.stdin!.end();
    await server.exited;
    await until('its program is gone', () => !isAlive(stayed));
    expect(server.log.trim().split('\n')).toHaveLength(1);
  });
});
