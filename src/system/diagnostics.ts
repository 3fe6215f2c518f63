/** Checks what this machine lets us find out about programs, for `repartee doctor`. */
import { existsSync } from 'node:fs';
import { libc } from './libc.ts';
import {
  canCountSwitches,
  canListChildren,
  canSeeOtherUsers,
  ownBlockingCallText,
  ptyUsage,
  readPtraceScope,
} from './proc/machine-info.ts';
import { parseSyscall } from './proc/syscalls.ts';

export interface Finding {
  what: string;
  ok: boolean;
  /** What the result means, and what to do if it is not ok. */
  says: string;
}

export const examineMachine = (): Finding[] => [
  checkPlatform(),
  checkTerminals(),
  checkProc(),
  checkBlockingCalls(),
  checkPtraceScope(readPtraceScope(), process.getuid?.() === 0),
  checkSwitchCounter(),
];

const checkPlatform = (): Finding => {
  const what = `${process.platform} ${process.arch}`;
  try {
    const { actions_addchdir, actions_addclosefrom } = libc();
    const missing = [
      !actions_addchdir && 'addchdir_np',
      !actions_addclosefrom && 'addclosefrom_np',
    ].filter(Boolean);
    const says = missing.length > 0 ? `works, without ${missing.join(' and ')}` : 'supported';
    return { what, ok: true, says };
  } catch (error) {
    return { what, ok: false, says: (error as Error).message };
  }
};

const checkTerminals = (): Finding => {
  const what = 'pseudo-terminals';
  const usage = existsSync('/dev/ptmx') ? ptyUsage() : undefined;
  if (usage === undefined) {
    const says = 'no /dev/ptmx: mount devpts (in a container: run it with /dev)';
    return { what, ok: false, says };
  }
  const { used, max } = usage;
  return { what, ok: used < max, says: `${used} of ${max} in use` };
};

const checkProc = (): Finding => {
  const what = '/proc';
  if (!canListChildren()) {
    return {
      what,
      ok: false,
      says: 'cannot be read: mount it, or verdicts rest on the terminal and on silence alone',
    };
  }
  const says = canSeeOtherUsers()
    ? 'shows all processes'
    : "shows only this user's processes (hidepid)";
  return { what, ok: true, says };
};

const checkBlockingCalls = (): Finding => {
  const what = 'blocking calls';
  const text = ownBlockingCallText();
  if (text === undefined) {
    return {
      what,
      ok: false,
      says: '/proc/self/syscall cannot be read: no verdict will be certain (a kernel without CONFIG_HAVE_ARCH_TRACEHOOK, or a sandbox)',
    };
  }
  const isKnown = parseSyscall(text)?.name === 'read' || text.startsWith('running');
  return {
    what,
    ok: isKnown,
    says: isKnown ? 'can be seen' : `this kernel numbers its calls otherwise: ${text.slice(0, 20)}`,
  };
};

export const checkPtraceScope = (scope: string | undefined, isRoot: boolean): Finding => {
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

const checkSwitchCounter = (): Finding => {
  const what = 'switch counter';
  const ok = canCountSwitches();
  return {
    what,
    ok,
    says: ok
      ? 'tells whether a thread has been woken while we looked'
      : 'no schedstat: a program woken in the very moment of a look may be called waiting',
  };
};
