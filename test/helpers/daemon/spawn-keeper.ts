import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { folderWith } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { isAlive } from './processes.ts';

const PROGRAM = join(import.meta.dirname, '../../../dist/keeper/main.js');
const DAEMON = join(import.meta.dirname, '../../fixtures/kept-daemon.js');

/** The path is there a moment before anybody listens at it. */
const connected = async (path: string): Promise<Socket> => {
  let client: Socket | undefined;
  await until('the keeper listens', async () => {
    client = connect(path);
    return once(client, 'connect').then(
      () => true,
      () => false,
    );
  });
  return client!;
};

export interface SpawnKeeperOptions {
  /** For the daemon. */
  args?: readonly string[];
  user?: { uid?: number; gid?: number };
  /** Called with the folder of its socket. */
  prepare?: (folder: string) => void;
}

/** A keeper with the daemon of a few lines. */
export const spawnKeeper = ({ args = [], user = {}, prepare }: SpawnKeeperOptions = {}) => {
  const folder = folderWith();
  prepare?.(folder);
  const socket = join(folder, 'socket');
  const lock = join(folder, 'lock');
  const start = (): ChildProcess => {
    const argument = JSON.stringify({ daemon: [DAEMON, ...args], socket, lock });
    const child = spawn(process.execPath, [PROGRAM, argument], {
      ...user,
      stdio: ['ignore', 'ignore', args.length === 0 ? 'inherit' : 'ignore'],
      detached: true,
    });
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    });
    return child;
  };
  const process_ = start();
  /** Asks the daemon, the next one if need be: a client waits until there is one. */
  const ask = async <T>(command: string, params: object = {}): Promise<T> => {
    const client = await connected(socket);
    client.on('error', () => {});
    client.write(`${JSON.stringify({ command, ...params })}\n`);
    const lines = createInterface({ input: client });
    lines.on('error', () => {});
    try {
      const [line] = (await Promise.race([
        once(lines, 'line'),
        once(client, 'close'),
      ])) as unknown[];
      return JSON.parse(String(line));
    } finally {
      client.destroy();
    }
  };
  const killDaemon = async () => {
    const pid = await ask<number>('pid');
    process.kill(pid, 'SIGKILL');
    await until('the daemon is dead', () => !isAlive(pid));
  };
  return { process: process_, start, socket, ask, killDaemon };
};
