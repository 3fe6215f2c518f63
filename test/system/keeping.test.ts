/** What the keeper and its daemon need of the system, each with a second process that is killed. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import {
  openSocketPair,
  receiveDescriptors,
  sendDescriptors,
} from '../../src/system/descriptor-passing.ts';
import { openPipe } from '../../src/system/descriptors.ts';
import { libc } from '../../src/system/libc.ts';
import { peekExit } from '../../src/system/process/peek-exit.ts';
import { onProcessExit } from '../../src/system/process/reaper.ts';
import { spawnProgram } from '../../src/system/process/spawn.ts';
import {
  createSharedMemory,
  giveBack,
  leaveSharedMemory,
  mapSharedMemory,
} from '../../src/system/shared-memory.ts';
import { listenOnPath } from '../../src/system/unix-listener.ts';
import { NOBODY } from '../helpers/daemon/nobody.ts';
import { asRoot, openToOthers } from '../helpers/needs.ts';
import { folderWith } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const descriptorOf = (fd: number) => {
  onTestFinished(() => closeSync(fd));
  return fd;
};

test('shared memory is one and the same, mapped or read as a file', () => {
  const fd = descriptorOf(createSharedMemory('test', 8192));
  const mapped = mapSharedMemory(fd, 4096);
  mapped.write('hello', 100);
  const read = Buffer.alloc(5);
  readSync(fd, read, 0, 5, 100);
  expect(read.toString()).toBe('hello');
  writeSync(fd, 'there', 200);
  expect(mapped.toString('latin1', 200, 205)).toBe('there');
  expect(mapSharedMemory(fd, 4096).toString('latin1', 100, 105)).toBe('hello');
  // Nothing but the pages that were written takes memory.
  expect(statSync(`/proc/self/fd/${fd}`).blocks * 512).toBeLessThanOrEqual(4096);
});

test('memory that the kernel refuses is a file without a name, whose mapped part has its place', () => {
  const folder = folderWith();
  // A call that the kernel does not have: ENOSYS.
  const createMemfd = () => libc().syscall(100_000, 0, 0, 0);
  expect(() => createSharedMemory('test', 2 ** 30, { createMemfd })).toThrow(
    /memfd_create: ENOSYS/,
  );
  const fallback = { folder, mapped: 65536 };
  const fd = descriptorOf(createSharedMemory('test', 2 ** 30, { createMemfd, fallback }));
  mapSharedMemory(fd, 65536).write('hello', 100);
  const read = Buffer.alloc(5);
  readSync(fd, read, 0, 5, 100);
  expect(read.toString()).toBe('hello');
  const { size, blocks, nlink, mode } = statSync(`/proc/self/fd/${fd}`);
  expect({ size, nlink, mode: mode & 0o777 }).toEqual({ size: 2 ** 30, nlink: 0, mode: 0o600 });
  expect(blocks * 512).toBeGreaterThanOrEqual(65536);
  expect(blocks * 512).toBeLessThan(2 ** 20);
  expect(readdirSync(folder)).toEqual([]);
});

test('shared memory that is given back is empty, and takes no memory', () => {
  const bytes = 64 * 1024;
  const fd = descriptorOf(createSharedMemory('test', bytes));
  const mapped = mapSharedMemory(fd, bytes);
  const file = () => statSync(`/proc/self/fd/${fd}`);
  mapped.fill('x');
  expect(file().blocks * 512).toBe(bytes);
  expect(giveBack(fd, 16 * 1024, 32 * 1024)).toBe(true);
  expect(file().blocks * 512).toBe(bytes / 2);
  expect(file().size).toBe(bytes);
  const x = 'x'.repeat(16 * 1024);
  expect(mapped.toString('latin1')).toBe(x + '\0'.repeat(32 * 1024) + x);
  mapped.write('again', 20_000);
  expect(mapped.toString('latin1', 20_000, 20_005)).toBe('again');
  // Of a pipe, nothing can be given back.
  const { readEnd, writeEnd } = openPipe();
  expect(giveBack(descriptorOf(writeEnd), 0, 4096)).toBe(false);
  closeSync(readEnd);
});

test('shared memory that was left can still be used, and nobody sees it', () => {
  const fd = descriptorOf(createSharedMemory('test', 8192));
  const mapped = mapSharedMemory(fd, 8192);
  const part = mapped.subarray(4096, 4196);
  mapped.write('shared');
  leaveSharedMemory(mapped);
  expect(mapped[0]).toBe(0);
  mapped.write('alone');
  part.write('alone');
  const read = Buffer.alloc(8192);
  readSync(fd, read, 0, 8192, 0);
  expect(read.toString('latin1').replaceAll('\0', '')).toBe('shared');
});

test('what was mapped is unmapped when nothing can use it any more', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const mappedBytes = () =>
    1024 * Number(/^VmSize:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]);
  const name = randomUUID();
  const mappings = () => readFileSync('/proc/self/maps', 'utf8').split(name).length - 1;
  const bytes = 2 ** 30;
  const before = mappedBytes();
  const fd = descriptorOf(createSharedMemory(name, bytes));
  let part: Buffer | undefined;
  for (let at = 0; at < 20; at++) {
    const mapped = mapSharedMemory(fd, bytes);
    part = mapped.subarray(4096, 4200);
    // It need not have been left.
    if (at % 2 === 0) leaveSharedMemory(mapped);
  }
  expect({ mappings: mappings(), gigabytes: Math.round((mappedBytes() - before) / bytes) }).toEqual(
    {
      mappings: 10,
      gigabytes: 20,
    },
  );
  await until('all but the last are unmapped', () => {
    collect();
    return mappedBytes() - before < 2 * bytes;
  });
  // The last one is still there, because of its part.
  expect(mappings()).toBe(1);
  part!.write('used');
  expect(part!.toString('latin1', 0, 4)).toBe('used');
});

test('a descriptor arrives with its message, also when its sender has closed everything', () => {
  const [here, there] = openSocketPair();
  descriptorOf(there);
  const memory = createSharedMemory('passed', 4096);
  const pipe = openPipe();
  writeSync(memory, 'kept');
  expect(sendDescriptors(here, Buffer.from('one '), [memory, pipe.readEnd])).toBe(true);
  expect(sendDescriptors(here, Buffer.from('two '))).toBe(true);
  expect(sendDescriptors(here, Buffer.from('last'), [pipe.writeEnd])).toBe(true);
  for (const fd of [memory, pipe.readEnd, pipe.writeEnd, here]) closeSync(fd);

  const first = receiveDescriptors(there, 4)!;
  expect(first.bytes.toString()).toBe('one ');
  const [passed, readEnd] = first.descriptors.map(descriptorOf) as [number, number];
  expect(first.descriptors).toHaveLength(2);
  const read = Buffer.alloc(4);
  readSync(passed, read, 0, 4, 0);
  expect(read.toString()).toBe('kept');
  expect(receiveDescriptors(there, 4)).toEqual({ bytes: Buffer.from('two '), descriptors: [] });
  const { descriptors: last } = receiveDescriptors(there, 4)!;
  writeSync(descriptorOf(last[0]!), 'pipe');
  readSync(readEnd, read);
  expect(read.toString()).toBe('pipe');
  expect(receiveDescriptors(there, 4)).toBeUndefined();
});

test('an empty socket has no message, a full one takes none, and a closed one neither', () => {
  const [here, there] = openSocketPair();
  expect(receiveDescriptors(there, 64)).toBeUndefined();
  let sent = 0;
  while (sendDescriptors(here, Buffer.alloc(64))) sent++;
  // One for each session, before anybody reads.
  expect(sent).toBeGreaterThan(256);
  closeSync(there);
  expect(sendDescriptors(here, Buffer.alloc(64))).toBe(false);
  closeSync(here);
});

test('a child that has ended is looked at without being reaped', async () => {
  const sh = { program: 'sh', cwd: '/', env: process.env };
  const wire = () => {};
  const exits = await spawnProgram({ ...sh, args: ['-c', 'exit 7'] }, wire);
  const killed = await spawnProgram({ ...sh, args: ['-c', 'kill -KILL $$'] }, wire);
  await until(
    'both have ended',
    () => peekExit(exits) !== undefined && peekExit(killed) !== undefined,
  );
  expect([peekExit(exits), peekExit(killed)]).toEqual([{ code: 7 }, { signal: 'SIGKILL' }]);
  const reaped = await new Promise((resolve) => onProcessExit(exits, resolve));
  expect(reaped).toEqual({ code: 7 });
  await new Promise((resolve) => onProcessExit(killed, resolve));
  expect(peekExit(exits)).toBeUndefined();
  expect(peekExit(process.pid)).toBeUndefined();
});

test('clients wait at a socket until a process takes them, and its end leaves the socket there', async () => {
  const path = join(folderWith(), 'socket');
  const listening = descriptorOf(listenOnPath(path));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const server = `require('net').createServer((socket) => socket.once('data', (said) =>
    socket.write(said, () => process.exit()))).listen({ fd: 3 })`;
  for (const said of ['to a first server', 'to a second one']) {
    const client = connect(path);
    onTestFinished(() => void client.destroy());
    await once(client, 'connect');
    client.write(said);
    const heard = once(client, 'data');
    const stdio = ['ignore', 'inherit', 'inherit', listening] as const;
    const child = spawn(process.execPath, ['-e', server], { stdio: [...stdio] });
    expect(String((await heard)[0])).toBe(said);
    if (child.exitCode === null) await once(child, 'exit');
  }
  expect(statSync(path).isSocket()).toBe(true);
  expect(() => listenOnPath(path)).toThrow(/EADDRINUSE/);
  rmSync(path);
  closeSync(listenOnPath(path));
});

openToOthers(asRoot(test))(
  'a hidden process shows its descriptors to no other process of its user, but to itself',
  async () => {
    const script = join(import.meta.dirname, '../fixtures/hidden-process.js');
    const child = spawn(process.execPath, [script], {
      uid: NOBODY,
      gid: NOBODY,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = await once(child.stdout!, 'data');
    expect(JSON.parse(String(printed))).toEqual({ before: 0, after: true, ownDescriptors: true });
  },
);
