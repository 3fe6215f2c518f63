/**
 * What this machine allows us to know, in plain words, for `repartee doctor`.
 */
import { readFileSync, statSync } from 'node:fs';
import { parseSyscall } from './kernel/syscalls.ts';
import { libc } from './libc.ts';

export interface Finding {
  what: string;
  ok: boolean;
  /** What it means, and what to do about it where it is not well. */
  says: string;
}

export const examineMachine = (): Finding[] => [
  system(),
  terminals(),
  processes(),
  blockingCalls(),
  ptraceScope(),
  switchCounter(),
];

const system = (): Finding => {
  const what = `${process.platform} ${process.arch}`;
  try {
    const { actions_addchdir, actions_addclosefrom } = libc();
    const lacking = [
      !actions_addchdir && 'addchdir_np',
      !actions_addclosefrom && 'addclosefrom_np',
    ].filter(Boolean);
    const says = lacking.length > 0 ? `works, without ${lacking.join(' and ')}` : 'supported';
    return { what, ok: true, says };
  } catch (error) {
    return { what, ok: false, says: (error as Error).message };
  }
};

const terminals = (): Finding => {
  const what = 'pseudo-terminals';
  try {
    statSync('/dev/ptmx');
    const [used, most] = ['nr', 'max'].map((name) =>
      Number(readFileSync(`/proc/sys/kernel/pty/${name}`, 'utf8')),
    ) as [number, number];
    return { what, ok: used < most, says: `${used} of ${most} in use` };
  } catch {
    return {
      what,
      ok: false,
      says: 'no /dev/ptmx: mount devpts (in a container: run it with /dev)',
    };
  }
};

/** Process 1 is not ours: whether we see it tells whether /proc shows others' processes. */
const processes = (): Finding => {
  const what = '/proc';
  try {
    readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  } catch {
    return {
      what,
      ok: false,
      says: 'cannot be read: mount it, or verdicts rest on the terminal and on silence alone',
    };
  }
  const isHidden = isMissing(() => readFileSync('/proc/1/stat'));
  return {
    what,
    ok: true,
    says: isHidden ? "shows only this user's processes (hidepid)" : 'shows all processes',
  };
};

const blockingCalls = (): Finding => {
  const what = 'blocking calls';
  const path = '/proc/self/syscall';
  if (isMissing(() => readFileSync(path))) {
    return {
      what,
      ok: false,
      says: `${path} cannot be read: no verdict will be certain (a kernel without CONFIG_HAVE_ARCH_TRACEHOOK, or a sandbox)`,
    };
  }
  const text = readFileSync(path, 'latin1');
  const isKnown = parseSyscall(text)?.name === 'read' || text.startsWith('running');
  return {
    what,
    ok: isKnown,
    says: isKnown ? 'can be seen' : `this kernel numbers its calls otherwise: ${text.slice(0, 20)}`,
  };
};

/** See Documentation/admin-guide/LSM/Yama.rst. */
const ptraceScope = (): Finding => {
  const path = '/proc/sys/kernel/yama/ptrace_scope';
  const scope = isMissing(() => readFileSync(path)) ? undefined : readFileSync(path, 'utf8').trim();
  return judgeScope(scope, process.getuid?.() === 0);
};

export const judgeScope = (scope: string | undefined, isRoot: boolean): Finding => {
  const what = 'ptrace_scope';
  if (scope === undefined)
    return { what, ok: true, says: "no Yama: this user's processes can be looked into" };
  const says = [
    "0: this user's processes can be looked into",
    '1: our own descendants can be looked into, which is enough',
    '2: only root can look into processes: no verdict will be certain (sysctl kernel.yama.ptrace_scope=1)',
    '3: nobody can look into processes until the next boot: no verdict will be certain',
  ];
  const ok = Number(scope) < 2 || (scope === '2' && isRoot);
  return { what, ok, says: says[Number(scope)] ?? scope };
};

const switchCounter = (): Finding => {
  const what = 'switch counter';
  const ok = !isMissing(() => readFileSync('/proc/self/schedstat'));
  return {
    what,
    ok,
    says: ok
      ? 'tells whether a thread has been woken while we looked'
      : 'no schedstat: a program woken in the very moment of a look may be called waiting',
  };
};

const isMissing = (read: () => unknown): boolean => {
  try {
    read();
    return false;
  } catch {
    return true;
  }
};
