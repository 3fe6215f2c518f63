import { describe, expect, test } from 'vitest';
import {
  type ObservedTerminal,
  observeForeground,
} from '../../../src/system/foreground/kernel-evidence.ts';
import { ThreadHistory } from '../../../src/system/foreground/thread-history.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';

const TERMINAL = (136 << 8) | 3;
const OTHER = (136 << 8) | 9;
const lineMode = {
  canonical: true,
  echo: true,
  signals: true,
  translatesEnter: true,
  translatesLineFeed: true,
  timesOutReads: false,
};

const terminal = (more: Partial<ObservedTerminal> = {}): ObservedTerminal => ({
  pid: 7,
  device: TERMINAL,
  fileSystem: 0,
  session: 7,
  foregroundGroup: 7,
  lineMode,
  hasUnreadInput: false,
  hasUnreadOutput: false,
  ...more,
});

interface FakeThread {
  pid: number;
  parent?: number;
  tid?: number;
  name?: string;
  state?: string;
  group?: number;
  syscall?: string;
  /** The device number of each descriptor. */
  fds?: Record<number, number>;
  children?: string;
  ignored?: number;
  caught?: number;
}

const READ_0 = '0 0x0 0x1000 0x400 0x0 0x0 0x0 0x7ffc00000000 0x7f0000000000';
const SLEEP = '230 0x0 0x0 0x1000 0x0 0x0 0x0 0x7ffc00000000 0x7f0000000000';

const procWith = (...threads: FakeThread[]): FakeProc => {
  const proc = new FakeProc();
  for (const thread of threads) {
    const {
      pid,
      parent = 1,
      tid = pid,
      name = 'prog',
      state = 'S',
      group = 7,
      syscall,
      fds = { 0: TERMINAL },
    } = thread;
    const count = threads.filter((other) => other.pid === pid).length;
    const stat = `${tid} (${name}) ${state} ${parent} ${group} 7 ${TERMINAL} 7 0 0 0 0 0 0 0 0 0 20 0 ${count} 0 100 0 0 0 0 0 0 0 0 0 0 ${thread.ignored ?? 0} ${thread.caught ?? 0}`;
    proc.files[`/proc/${pid}/stat`] ??= stat;
    const task = `/proc/${pid}/task/${tid}`;
    proc.files[`${task}/stat`] = stat;
    proc.files[`${task}/schedstat`] = '1000 0 5\n';
    proc.files[`${task}/children`] = thread.children ?? '';
    if (syscall !== undefined) proc.files[`${task}/syscall`] = `${syscall}\n`;
    for (const [fd, device] of Object.entries(fds)) {
      proc.devices[`/proc/${pid}/fd/${fd}`] = device;
      proc.links[`/proc/${pid}/fd/${fd}`] = device === 0 ? 'pipe:[1]' : '/dev/pts/3';
    }
  }
  return proc;
};

const waits = (proc: FakeProc) =>
  observeForeground(terminal(), { proc: proc })?.threads.map(
    ({ terminalWait }) => terminalWait !== undefined,
  );

describe('observeForeground', () => {
  test('a thread that reads our terminal waits for it, alone', () => {
    const evidence = observeForeground(terminal(), { proc: procWith({ pid: 7, syscall: READ_0 }) });
    expect(evidence).toEqual({
      hasUnreadInput: false,
      hasMoved: false,
      lineMode,
      due: undefined,
      hasTimers: false,
      threads: [
        {
          pid: 7,
          parent: 1,
          name: 'prog',
          doing: 'blocked',
          terminalWait: {
            isOnlyTarget: true,
            place: '0x7ffc00000000 0x7f0000000000',
            wakes: 0,
            alsoWaitsForPeer: false,
            isShell: false,
            isBlindRelay: false,
          },
        },
      ],
    });
  });

  test('of a program that has just ended there is nothing to observe', () => {
    const ended = terminal({ foregroundGroup: undefined });
    expect(observeForeground(ended, { proc: procWith({ pid: 7, state: 'Z' }) })).toBeUndefined();
    expect(observeForeground(ended, { proc: procWith({ pid: 7, syscall: READ_0 }) })).toBeDefined();
  });

  test('a shell ignores the signals that stop jobs, as far as it can', () => {
    const isShell = (ignored: number, caught: number) => {
      const proc = procWith({ pid: 7, syscall: READ_0, ignored, caught });
      return observeForeground(terminal(), { proc: proc })?.threads[0]?.terminalWait?.isShell;
    };
    expect(isShell(0x284004, 0x10002), 'dash').toBe(true);
    expect(isShell(0x300000, 0x7fcbfaff), 'ksh93').toBe(true);
    expect(isShell(0x301000, 0x18096a03), 'picolisp').toBe(false);
    expect(isShell(0x1000, 0x2), 'python').toBe(false);
  });

  test('a shell without job control is listed as one, and no key ends it', () => {
    const isShell = (program: string, caught: number, args = '-i\0') => {
      const proc = procWith({ pid: 7, syscall: READ_0, caught });
      proc.files['/proc/7/cmdline'] = `${program}\0${args}`;
      proc.files['/etc/shells'] = '# shells\n/bin/sh\n/usr/bin/rc\n';
      proc.links['/proc/7/exe'] = program;
      return observeForeground(terminal(), { proc: proc })?.threads[0]?.terminalWait?.isShell;
    };
    expect(isShell('/usr/bin/rc', 0x8004006)).toBe(true);
    expect(isShell('/usr/bin/rc', 0x8004006, '')).toBe(true);
    expect(isShell('/usr/bin/rc', 0x8004006, 'script\0')).toBe(false);
    expect(isShell('/bin/sh', 0x8004006, '-c\0read -e x\0')).toBe(false);
    expect(isShell('/bin/sh', 0x10002), 'a script').toBe(false);
    expect(isShell('/usr/bin/vi', 0x8004006)).toBe(false);
  });

  test('another terminal, a pipe and a closed descriptor are not ours', () => {
    expect(waits(procWith({ pid: 7, syscall: READ_0, fds: { 0: OTHER } }))).toEqual([false]);
    expect(waits(procWith({ pid: 7, syscall: READ_0, fds: { 0: 0 } }))).toEqual([false]);
    expect(waits(procWith({ pid: 7, syscall: READ_0, fds: { 1: TERMINAL } }))).toEqual([false]);
  });

  test('/dev/tty is ours for a process whose terminal is ours', () => {
    expect(waits(procWith({ pid: 7, syscall: READ_0, fds: { 0: 0x500 } }))).toEqual([true]);
  });

  test('only the foreground group counts, wherever in the tree it is', () => {
    const proc = procWith(
      { pid: 7, syscall: READ_0, group: 6, children: '8 ' },
      { pid: 8, parent: 7, name: 'job', syscall: SLEEP, children: '' },
    );
    expect(observeForeground(terminal(), { proc: proc })?.threads).toEqual([
      {
        pid: 8,
        parent: 7,
        name: 'job',
        doing: 'blocked',
        blockedOn: 'a timer',
        wakesInMs: 0,
      },
    ]);
  });

  test('a foreground program whose parents are gone is found all the same', () => {
    const proc = procWith(
      { pid: 7, group: 6, syscall: SLEEP },
      { pid: 50, group: 7, syscall: READ_0 },
    );
    expect(observeForeground(terminal(), { proc: proc })?.threads).toMatchObject([
      { pid: 50, doing: 'blocked' },
    ]);
  });

  test.each([
    ['R', 'running'],
    ['D', 'on the disk'],
    ['T', 'stopped'],
    ['t', 'stopped'],
  ])('state %s means %s, whatever the call says', (state, doing) => {
    const proc = procWith({ pid: 7, state, syscall: READ_0 });
    expect(observeForeground(terminal(), { proc: proc })?.threads).toEqual([
      { pid: 7, parent: 1, name: 'prog', doing },
    ]);
  });

  test('one that runs does not wait, also if its output is under way', () => {
    const printing = terminal({ hasUnreadOutput: true });
    const running = procWith({ pid: 7, state: 'R' });
    expect(observeForeground(printing, { proc: running })?.threads).toMatchObject([
      { doing: 'running' },
    ]);
    const reading = procWith({ pid: 7, syscall: READ_0 });
    expect(observeForeground(printing, { proc: reading })).toBeUndefined();
  });

  test('who works is known with its parent, also if it was woken while we looked', () => {
    const proc = procWith(
      { pid: 7, syscall: READ_0, children: '8 9 ' },
      { pid: 8, parent: 7, state: 'R' },
      { pid: 9, parent: 7, syscall: SLEEP },
    );
    let timesScheduled = 6;
    proc.onQuestion = (path) => {
      if (path === '/proc/9/task/9/schedstat') proc.files[path] = `1000 0 ${timesScheduled++}\n`;
    };
    expect(observeForeground(terminal(), { proc: proc })?.threads).toMatchObject([
      { pid: 7, parent: 1, doing: 'blocked' },
      { pid: 8, parent: 7, doing: 'running' },
      { pid: 9, parent: 7, doing: 'running' },
    ]);
  });

  test('a foreground in which nobody is left will soon be another one', () => {
    expect(observeForeground(terminal(), { proc: procWith({ pid: 7, group: 8 }) })).toBeUndefined();
  });

  test('a foreground that is hidden from us says nothing', () => {
    const proc = procWith({ pid: 9, group: 9 });
    proc.hiddenGroups.add(7);
    expect(observeForeground(terminal(), { proc: proc })?.threads).toEqual([]);
  });

  test('a zombie is nobody', () => {
    expect(
      observeForeground(terminal(), { proc: procWith({ pid: 7, state: 'Z' }) }),
    ).toBeUndefined();
    const threads = [
      { pid: 7, syscall: READ_0 },
      { pid: 9, state: 'Z' },
    ];
    expect(observeForeground(terminal(), { proc: procWith(...threads) })?.threads).toHaveLength(1);
  });

  test('a process we may not read is hidden, which is not "not waiting"', () => {
    const proc = procWith({ pid: 7, syscall: READ_0 });
    proc.denied.add('/proc/7/task/7/syscall');
    expect(observeForeground(terminal(), { proc: proc })?.threads).toMatchObject([
      { doing: 'hidden' },
    ]);
  });

  test('a shell is known by the stop signals it ignores', () => {
    const bash = procWith({ pid: 7, syscall: READ_0, ignored: 0x384004 });
    expect(observeForeground(terminal(), { proc: bash })?.threads[0]?.terminalWait?.isShell).toBe(
      true,
    );
    const vim = procWith({ pid: 7, syscall: READ_0, ignored: 0x1000 });
    expect(observeForeground(terminal(), { proc: vim })?.threads[0]?.terminalWait?.isShell).toBe(
      false,
    );
  });

  test('a write that the terminal does not take is flow control', () => {
    const proc = procWith({
      pid: 7,
      syscall: '1 0x0 0x1000 0x5 0x0 0x0 0x0 0x7ffc00000000 0x7f0000000000',
    });
    expect(observeForeground(terminal(), { proc: proc })?.threads).toMatchObject([
      { blockedOn: 'the terminal to take output' },
    ]);
  });

  test('a client with its connection in another thread is connected', () => {
    const proc = procWith(
      { pid: 7, syscall: READ_0 },
      { pid: 7, tid: 8, syscall: '45 0x5 0x0 0x0 0x0 0x0 0x0 0x7ffc00000000 0x7f0000000000' },
    );
    const found = observeForeground(terminal(), { proc: proc })?.threads.find(
      ({ terminalWait }) => terminalWait,
    );
    expect(found?.terminalWait?.alsoWaitsForPeer).toBe(true);
  });
});

describe('an observation is thrown away when', () => {
  const proc = () => procWith({ pid: 7, syscall: READ_0 });

  test('output is still under way', () => {
    expect(
      observeForeground(terminal({ hasUnreadOutput: true }), { proc: proc() }),
    ).toBeUndefined();
  });

  test('output came while we looked', () => {
    let reads = 0;
    const moving = Object.defineProperty(terminal(), 'hasUnreadOutput', { get: () => reads++ > 0 });
    expect(observeForeground(moving, { proc: proc() })).toBeUndefined();
  });

  test('another group came to the foreground while we looked', () => {
    let reads = 0;
    const moving = Object.defineProperty(terminal(), 'foregroundGroup', {
      get: () => (reads++ > 0 ? 8 : 7),
    });
    expect(observeForeground(moving, { proc: proc() })).toBeUndefined();
  });

  test('a thread that waited has been woken meanwhile, though it shows its old call', () => {
    const moving = proc();
    moving.onQuestion = (path) => {
      if (path.endsWith('/fd')) moving.files['/proc/7/task/7/schedstat'] = '2000 0 6\n';
    };
    expect(observeForeground(terminal(), { proc: moving })).toBeUndefined();
  });
});

describe('what is due is looked for when it is asked for', () => {
  const LISTING = '/proc/sys/kernel/ns_last_pid';
  const observe = (proc: FakeProc, of = terminal()) => observeForeground(of, { proc })!;

  test('not before', () => {
    const proc = procWith({ pid: 7, syscall: READ_0 });
    const asked: string[] = [];
    proc.onQuestion = (path) => asked.push(path);
    const evidence = observe(proc);
    expect(asked).not.toContain('/proc/7/timers');
    expect(evidence.hasMoved).toBe(false);
    expect(asked).not.toContain('/proc/7/timers');
    expect(evidence.due).toBeUndefined();
    expect(asked).toContain('/proc/7/timers');
  });

  test('a process that was started after the processes were listed is due', () => {
    const proc = procWith({ pid: 7, syscall: READ_0 });
    const evidence = observe(proc);
    const child = procWith({ pid: 8, parent: 7, group: 8, state: 'R' });
    Object.assign(proc.files, child.files, { '/proc/7/task/7/children': '8' });
    expect(evidence.due).toBe('a process that it has started');
  });

  test('so is a thread', () => {
    const proc = procWith({ pid: 7, syscall: READ_0 });
    const evidence = observe(proc);
    const more = procWith({ pid: 7, syscall: READ_0 }, { pid: 7, tid: 8, state: 'R' });
    proc.files['/proc/7/stat'] = more.files['/proc/7/stat']!;
    expect(evidence.due).toBe('a thread that it has started');
  });

  test.each([
    ['a reader was woken', (proc: FakeProc) => wake(proc, 7)],
    ['another thread was woken', (proc: FakeProc) => wake(proc, 8)],
  ])('nothing counts if meanwhile %s', (_, move) => {
    const futex = '202 0x1000 0x80 0x0 0x0 0x0 0x0 0x7ffc00000000 0x7f0000000000';
    const proc = procWith({ pid: 7, syscall: READ_0 }, { pid: 7, tid: 8, syscall: futex, fds: {} });
    const evidence = observe(proc);
    proc.onQuestion = (path) => path === LISTING && move(proc);
    expect(evidence.due).toBeUndefined();
    expect(evidence.hasMoved).toBe(true);
    expect({ ...observe(proc) }.hasMoved).toBe(false);
  });

  test('nothing counts if meanwhile the program has printed something', () => {
    const moving = terminal();
    const evidence = observe(procWith({ pid: 7, syscall: READ_0 }), moving);
    Object.assign(moving, { hasUnreadOutput: true });
    expect({ ...evidence }.hasMoved).toBe(true);
  });

  test('without a descriptor to look, something may be', () => {
    const proc = procWith({ pid: 7, syscall: READ_0 });
    const evidence = observe(proc);
    proc.onQuestion = (path) => {
      if (path === LISTING) throw Object.assign(new Error('open'), { code: 'EMFILE' });
    };
    expect(evidence.due).toBe('what we have no descriptor to look for');
  });
});

const wake = (proc: FakeProc, tid: number) => {
  proc.files[`/proc/7/task/${tid}/schedstat`] = '2000 0 6\n';
};

test('in a flood only every eighth look asks more than whether there is output', () => {
  const flooding = terminal({ hasUnreadOutput: true });
  const proc = procWith({ pid: 7, state: 'S', syscall: READ_0 });
  let asked = 0;
  proc.onQuestion = () => asked++;
  const look = () => {
    asked = 0;
    const evidence = observeForeground(flooding, { proc });
    return [evidence?.threads[0]?.doing, asked > 0];
  };
  expect(look()).toEqual([undefined, true]);
  for (let at = 1; at < 8; at++) expect(look(), `${at}`).toEqual([undefined, false]);
  expect(look()).toEqual([undefined, true]);
  proc.files['/proc/7/stat'] = proc.files['/proc/7/stat']!.replace(') S', ') R');
  for (let at = 1; at < 8; at++) look();
  expect(look(), 'it computes').toEqual(['running', true]);
  Object.assign(flooding, { hasUnreadOutput: false });
  proc.files['/proc/7/stat'] = proc.files['/proc/7/stat']!.replace(') R', ') S');
  expect(look(), 'it is over').toEqual(['blocked', true]);
});

describe('of a thread that has not run since the last look', () => {
  const setUp = () => {
    const proc = procWith({ pid: 7, syscall: READ_0 });
    const history = new ThreadHistory();
    const look = () => observeForeground(terminal(), { proc, history })?.threads[0];
    expect(look()?.terminalWait).toBeDefined();
    return { proc, look };
  };

  test('the call is known', () => {
    const { proc, look } = setUp();
    proc.onQuestion = (path) => expect(path).not.toMatch(/syscall$/);
    expect(look()?.terminalWait).toBeDefined();
  });

  test('it is not known whether it was woken', () => {
    const { proc, look } = setUp();
    const stat = '/proc/7/task/7/stat';
    proc.files[stat] = proc.files[stat]!.replace(') S', ') R');
    expect(look()?.doing).toBe('running');
  });

  test('another one may have its id', () => {
    const { proc, look } = setUp();
    const stat = '/proc/7/task/7/stat';
    proc.files[stat] = proc.files[stat]!.replace(' 0 100 ', ' 0 101 ');
    proc.files['/proc/7/task/7/syscall'] = `${SLEEP}\n`;
    expect(look()).toMatchObject({ doing: 'blocked', blockedOn: 'a timer' });
  });
});
