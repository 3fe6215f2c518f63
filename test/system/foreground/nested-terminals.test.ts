import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
} from 'node:fs';
import { basename } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nestedTerminals } from '../../../src/system/foreground/nested-terminals.ts';
import { libc } from '../../../src/system/libc.ts';
import { openPtyDevice } from '../../../src/system/terminal/pty-device.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';
import { open } from '../../helpers/open-terminal.ts';

const PID = process.pid;
const OURS = { device: (136 << 8) | 5, fileSystem: 1, session: 7 };

/** This process, which holds a terminal and perhaps the master of another one. */
const holding = (master?: number): FakeProc => {
  const proc = new FakeProc();
  proc.links[`/proc/${PID}/fd/0`] = '/dev/pts/5';
  if (master !== undefined) proc.links[`/proc/${PID}/fd/${master}`] = '/dev/ptmx';
  return proc;
};

const openTerminal = () => {
  const device = openPtyDevice({ cols: 80, rows: 24 });
  onTestFinished(() => {
    closeSync(device.slave);
    closeSync(device.master);
  });
  return device;
};

test('a program that holds no master relays nothing', () => {
  expect(nestedTerminals(holding(), PID, OURS)).toEqual([]);
});

test('a program that has ended relays nothing', () => {
  expect(nestedTerminals(new FakeProc(), PID, OURS)).toEqual([]);
});

test('a program that holds the master of the terminal it is asked about relays no other', async () => {
  const { pty } = await open('cat');
  const master = readdirSync('/proc/self/fd').find((fd) => isMasterOf(fd, pty.path))!;
  const { device, fileSystem, session } = pty;
  const holder = holding(Number(master));
  expect(nestedTerminals(holder, PID, { device, fileSystem, session })).toEqual([]);
  // In another container, a terminal may have the same number.
  const elsewhere = { device, fileSystem: fileSystem + 1, session };
  expect(nestedTerminals(holder, PID, elsewhere)).toMatchObject([{ device, fileSystem }]);
});

const isMasterOf = (fd: string, path: string): boolean => {
  const info = `/proc/self/fdinfo/${fd}`;
  return existsSync(info) && readFileSync(info, 'utf8').includes(`tty-index:\t${basename(path)}\n`);
};

test('what is behind a program that hides what it holds cannot be seen', () => {
  const proc = holding();
  proc.denied.add(`/proc/${PID}/fd`);
  expect(nestedTerminals(proc, PID, OURS)).toBe('blind');
});

test('what is behind a master that cannot be had, or that is nobody’s terminal, cannot be seen', () => {
  expect(nestedTerminals(holding(9999), PID, OURS)).toBe('blind');
  expect(nestedTerminals(holding(openTerminal().master), PID, OURS)).toBe('blind');
});

const TIOCSPTLCK = 0x40045431;

/** As a relay has it before it starts its program. */
const openMasterAlone = (): number => {
  const { O_RDWR, O_NOCTTY, O_NONBLOCK } = constants;
  const master = openSync('/dev/ptmx', O_RDWR | O_NOCTTY | O_NONBLOCK);
  onTestFinished(() => closeSync(master));
  libc().ioctl(master, TIOCSPTLCK, new Uint8Array(4));
  return master;
};

test('a master whose slave no program has opened yet is not hung up by our looking', () => {
  const master = openMasterAlone();
  expect(nestedTerminals(holding(master), PID, OURS)).toBe('blind');
  // In another container, ours may have the same number.
  const number = Number(
    /tty-index:\t(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${master}`, 'utf8'))![1],
  );
  const sameNumber = { ...OURS, device: (136 << 8) | number };
  expect(nestedTerminals(holding(master), PID, sameNumber)).toBe('blind');
  // Hung up, it would be EIO.
  expect(() => readSync(master, Buffer.alloc(1))).toThrow('EAGAIN');
});
