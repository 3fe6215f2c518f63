import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RawServer } from '../../helpers/mcp/raw-client.ts';
import { until } from '../../helpers/until.ts';

const isAlive = (pid: number) => {
  try {
    // A process that has ended and was not waited for is no longer alive.
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const processesWith = (variable: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isAlive(pid) && environmentOf(pid).includes(variable));

const environmentOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
};

/** A session whose programs would rather stay: they ignore the hang-up, or have left the terminal. */
const stubborn = `trap '' HUP; setsid sleep 1000 & echo "$! $$"; sleep 1000`;

const withProcesses = async () => {
  const server = new RawServer();
  await server.initialize();
  await server.call(1, 'terminal_open', { name: 'one', command: stubborn, timeout_ms: 0 });
  const { structuredContent } = await server.call(2, 'terminal_read', {
    session: 'one',
    match: '\\d+ \\d+',
    timeout_ms: 10_000,
  });
  const pids: number[] = structuredContent.matched.split(' ').map(Number);
  expect(pids.every(isAlive)).toBe(true);
  return { server, pids };
};

describe('when the client goes', () => {
  test.each<[how: string, go: (server: RawServer) => void]>([
    ['it closes stdin', ({ process }) => process.stdin!.end()],
    ['it closes stdin in the middle of a message', ({ process }) => process.stdin!.end('{"id')],
    ['it sends SIGTERM', ({ process }) => process.kill('SIGTERM')],
    ['it sends SIGINT', ({ process }) => process.kill('SIGINT')],
    ['it sends SIGHUP', ({ process }) => process.kill('SIGHUP')],
    [
      'it no longer reads, and is sent something',
      (server) => {
        server.process.stdout!.destroy();
        server.send({ id: 9, method: 'tools/list' });
      },
    ],
  ])('%s: the server ends, and with it all that it ran', async (_, go) => {
    const { server, pids } = await withProcesses();
    go(server);
    await server.exited;
    expect(server.process.exitCode).toBe(0);
    await until('all are gone', () => !pids.some(isAlive));
  });

  test('while sessions are being opened: none of them stays', async () => {
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
    expect(processesWith(`mark=${mark}`)).toEqual([]);
  });

  test('in the middle of a wait: the server ends at once', async () => {
    const { server, pids } = await withProcesses();
    server.send({
      id: 5,
      method: 'tools/call',
      params: { name: 'terminal_wait', arguments: { sessions: ['one'], timeout_ms: 600_000 } },
    });
    expect((await server.call(6, 'terminal_list')).structuredContent.sessions).toHaveLength(1);
    server.process.stdin!.end();
    await server.exited;
    await until('all are gone', () => !pids.some(isAlive));
    expect(server.log).toBe('');
  });
});
