import { describe, expect, test } from 'vitest';
import { waitTargetsOf } from '../../../src/system/foreground/wait-targets.ts';
import { parseSyscall } from '../../../src/system/proc/syscalls.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';

const call = (text: string, arch = 'x64') => parseSyscall(text, arch)!;
const STACK = '0x7ffc00000000 0x7f0000000000';

describe('parseSyscall', () => {
  test.each([
    ['running', undefined],
    ['-1 0x7ffc00000000 0x7f0000000000', undefined],
    [`0 0x3 0x1000 0x400 0x0 0x0 0x0 ${STACK}`, 'read'],
    [`271 0x1000 0x1 0x0 0x0 0x8 0x0 ${STACK}`, 'ppoll'],
    [`9999 0x0 0x0 0x0 0x0 0x0 0x0 ${STACK}`, undefined],
  ])('%s', (text, name) => {
    expect(parseSyscall(text, 'x64')?.name).toBe(name);
  });

  test('numbers are those of the architecture', () => {
    expect(call(`63 0x0 0x0 0x0 0x0 0x0 0x0 ${STACK}`, 'arm64').name).toBe('read');
    expect(call(`0 0x0 0x0 0x0 0x0 0x0 0x0 ${STACK}`, 'arm64').name).toBeUndefined();
    expect(call(`22 0x0 0x0 0x0 0x0 0x0 0x0 ${STACK}`, 'arm64').name).toBe('epoll_pwait');
  });
});

const pollfds = (...entries: [fd: number, events: number][]) => {
  const bytes = Buffer.alloc(entries.length * 8);
  for (const [at, [fd, events]] of entries.entries()) {
    bytes.writeInt32LE(fd, at * 8);
    bytes.writeInt16LE(events, at * 8 + 4);
  }
  return bytes;
};

describe('waitTargetsOf', () => {
  const proc = new FakeProc();
  const IN = 1;
  const OUT = 4;
  proc.memories['7 4096'] = pollfds([0, IN], [-1, IN], [5, OUT], [9, IN | OUT]);
  proc.memories['7 8192'] = Buffer.from([
    0b1000_0001, 0, 0, 0, 0, 0, 0, 0, 0b10, 0, 0, 0, 0, 0, 0, 0,
  ]);
  proc.files['/proc/7/fdinfo/4'] =
    'pos:\t0\nflags:\t02\ntfd:        0 events:       19 data:  0\ntfd:       12 events:        4 data: c\ntfd: 13 events: 80000001 data: d\n';

  test.each([
    ['read waits for its descriptor', '0 0x3 0x0 0x0', [3]],
    ['readv likewise', '19 0x3 0x0 0x0', [3]],
    ['poll counts those it would read, without limit', '7 0x1000 0x4 0xffffffff', [0, 9]],
    ['poll with a limit', '7 0x1000 0x4 0x64', [0, 9]],
    ['ppoll without a timespec', '271 0x1000 0x4 0x0', [0, 9]],
    ['select reads its bit set', '23 0x42 0x2000 0x0 0x0 0x0', [0, 7, 65]],
    ['pselect6 with a timespec', '270 0x42 0x2000 0x0 0x0 0x9000', [0, 7, 65]],
    ['select for nothing to read is a pause', '23 0x0 0x0 0x0 0x0 0x9000', []],
    ['epoll_wait asks the epoll descriptor', '232 0x4 0x0 0x8 0xffffffffffffffff', [0, 13]],
    ['epoll_pwait2 without a timespec', '441 0x4 0x0 0x8 0x0', [0, 13]],
    ['a call for no descriptor', '230 0x0 0x0 0x9000 0x0', undefined],
    ['an epoll descriptor that is gone', '232 0x8 0x0 0x8 0x0', undefined],
  ])('%s', (_what, text, wait) => {
    expect(waitTargetsOf(proc, 7, call(`${text} 0x0 0x0 0x0 ${STACK}`))).toEqual(wait);
  });

  test('memory that may not be read is not "no"', () => {
    const hidden = new FakeProc();
    hidden.denied.add('/proc/7/mem');
    expect(waitTargetsOf(hidden, 7, call(`7 0x1000 0x1 0xffffffff 0x0 0x0 0x0 ${STACK}`))).toBe(
      'denied',
    );
  });

  test('of an absurd number of descriptors the first are looked at', () => {
    const wait = waitTargetsOf(proc, 7, call(`23 0x100000 0x2000 0x0 0x0 0x0 0x0 ${STACK}`));
    expect(wait).toEqual([0, 7, 65]);
  });

  test('what io_uring waits for cannot be seen, which is not "nothing"', () => {
    expect(waitTargetsOf(proc, 7, call(`426 0x3 0x0 0x1 0x1 0x0 0x0 ${STACK}`))).toBe('denied');
  });
});
