import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../helpers/daemon/processes.ts';
import { folderWith } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const PROGRAM = join(import.meta.dirname, '../../dist/keeper/main.js');
const DAEMON = join(import.meta.dirname, '../fixtures/kept-daemon.js');

interface Listed {
  session: number;
  shell: string;
  pid: number;
  exit: { code?: number; signal?: string } | null;
  hasSecond: boolean;
}

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

/** A keeper with the daemon of a few lines. */
const startKeeper = (...options: string[]) => {
  const folder = folderWith();
  const socket = join(folder, 'socket');
  const lock = join(folder, 'lock');
  const start = (): ChildProcess => {
    const argument = JSON.stringify({ daemon: [DAEMON, ...options], socket, lock });
    const child = spawn(process.execPath, [PROGRAM, argument], {
      stdio: ['ignore', 'ignore', options.length === 0 ? 'inherit' : 'ignore'],
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

const untilRead = async (
  { ask }: ReturnType<typeof startKeeper>,
  session: number,
  text: string,
): Promise<void> => {
  let read = '';
  await until(`the program prints "${text}"`, async () => {
    read += await ask<string>('read', { session });
    return read.includes(text);
  });
};

test('a program does not notice that the daemon was killed, and the next one goes on with it', async () => {
  const keeper = startKeeper();
  const shell = 'trap "echo hung up" HUP; echo begun; while read x; do echo "got $x"; done';
  const session = await keeper.ask<number>('open', { shell });
  await untilRead(keeper, session, 'begun');
  const [before] = await keeper.ask<Listed[]>('list');
  for (const text of ['one', 'two']) {
    const daemon = await keeper.ask<number>('pid');
    await keeper.killDaemon();
    expect(await keeper.ask<number>('pid')).not.toBe(daemon);
    expect(await keeper.ask<Listed[]>('list')).toEqual([before]);
    await keeper.ask('type', { session, text: `${text}\n` });
    await untilRead(keeper, session, `got ${text}`);
  }
  expect(isAlive(before!.pid)).toBe(true);
});

test('the keeper notes how programs end while there is no daemon, and after it', async () => {
  const keeper = startKeeper();
  const codes = await keeper.ask<number>('open', { shell: 'read x; exit 7' });
  const dies = await keeper.ask<number>('open', { shell: 'read x; kill -TERM $$' });
  await keeper.killDaemon();
  for (const session of [codes, dies]) await keeper.ask('type', { session, text: '\n' });
  await until('both have ended', async () =>
    (await keeper.ask<Listed[]>('list')).every(({ exit }) => exit !== null),
  );
  const exits = (await keeper.ask<Listed[]>('list')).map(({ exit }) => exit);
  expect(exits).toEqual([{ code: 7 }, { signal: 'SIGTERM' }]);
  const child = String(keeper.process.pid);
  const children = readFileSync(`/proc/${child}/task/${child}/children`, 'utf8').trim();
  expect(children).toBe(String(await keeper.ask('pid')));
});

test('the keeper lets a slave go, so that the terminal can end, and then the rest', async () => {
  const keeper = startKeeper();
  const session = await keeper.ask<number>('open', { shell: 'exit 0' });
  const descriptors = () => readdirSync(`/proc/${keeper.process.pid}/fd`).length;
  const before = descriptors();
  await keeper.ask('dropSecond', { session });
  await until('it is closed', () => descriptors() === before - 1);
  await keeper.killDaemon();
  const [listed] = await keeper.ask<Listed[]>('list');
  expect(listed!.hasSecond).toBe(false);
  await until(
    'the terminal has ended',
    async () => (await keeper.ask('read', { session })) === 'EIO',
  );
  await keeper.ask('release', { session });
  await until('all is closed', () => descriptors() === before - 3);
  await keeper.killDaemon();
  expect(await keeper.ask('list')).toEqual([]);
});

test('a keeper that was stopped learns later what it was told meanwhile', async () => {
  const keeper = startKeeper();
  const session = await keeper.ask<number>('open', { shell: 'exit 0' });
  const descriptors = () => readdirSync(`/proc/${keeper.process.pid}/fd`).length;
  const before = descriptors();
  keeper.process.kill('SIGSTOP');
  // More than the socket takes.
  await keeper.ask('chatter', { count: 2000 });
  await keeper.ask('release', { session });
  keeper.process.kill('SIGCONT');
  await until('all is closed', () => descriptors() === before - 3);
});

test('the keeper ends with a daemon that has ended by itself, and takes its socket with it', async () => {
  const keeper = startKeeper();
  const exited = once(keeper.process, 'exit');
  void keeper.ask('end', { code: 0 }).catch(() => {});
  expect(await exited).toEqual([0, null]);
  expect(existsSync(keeper.socket)).toBe(false);
});

test('a daemon that cannot start is not started again and again', async () => {
  const keeper = startKeeper('fail');
  expect(await once(keeper.process, 'exit')).toEqual([3, null]);
});

test('a second keeper leaves everything to the first', async () => {
  const keeper = startKeeper();
  const daemon = await keeper.ask('pid');
  expect(await once(keeper.start(), 'exit')).toEqual([0, null]);
  expect(await keeper.ask('pid')).toBe(daemon);
});
