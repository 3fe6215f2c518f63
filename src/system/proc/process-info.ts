/** Facts about a process that are not in its stat line. */
import { type ProcAnswer, type ProcReader, realProc } from './proc.ts';
import { type ProcessStat, rereadProcessStat } from './process-stat.ts';

export const allPids = (proc: ProcReader = realProc): number[] => {
  const entries = proc.list('/proc');
  return entries.missing ? [] : entries.value.filter((entry) => /^\d+$/.test(entry)).map(Number);
};

/**
 * Most processes have one thread. We do not list it, because that would take as long as everything
 * else we read about them.
 */
export const threadIdsOf = ({ pid, threads }: ProcessStat, proc: ProcReader): readonly string[] => {
  if (threads === 1) return [`${pid}`];
  const listed = proc.list(`/proc/${pid}/task`);
  return listed.missing ? [] : listed.value;
};

/** The children that one thread has started and that it is still the parent of. */
export const childPidsOf = (pid: number, thread: string, proc: ProcReader): number[] => {
  const children = proc.readKept(`/proc/${pid}/task/${thread}/children`);
  return children.missing ? [] : children.value.split(' ').filter(Boolean).map(Number);
};

export interface Family {
  parent: number;
  session: number;
  /** The children of its first thread, as the kernel lists them. It gives orphans to the first thread. */
  children: string;
}

/** Undefined if the process is gone. */
export const familyOf = (pid: number, proc: ProcReader): Family | undefined => {
  const stat = rereadProcessStat(pid, proc);
  if (stat === undefined) return undefined;
  const children = proc.readKept(`/proc/${pid}/task/${pid}/children`);
  const { parent, session } = stat;
  return { parent, session, children: children.missing ? '' : children.value };
};

/**
 * The pid that was given last, by the kernel or in this container. As long as it is the same, no process
 * was started. Undefined if the kernel does not tell.
 */
export const newestPid = (proc: ProcReader): string | undefined => {
  const pid = proc.readKept('/proc/sys/kernel/ns_last_pid');
  return pid.missing ? undefined : pid.value;
};

/** Whether the kernel lists the children of a thread (CONFIG_PROC_CHILDREN). */
export const hasChildLists = (): boolean =>
  realProc.read(`/proc/self/task/${process.pid}/children`).missing === undefined;

/** The arguments, separated by NUL. Empty if the process is gone. */
export const commandLineOf = (pid: number): string => {
  const line = realProc.read(`/proc/${pid}/cmdline`);
  return line.missing ? '' : line.value;
};

export const workingFolderOf = (pid: number): string | undefined => {
  const link = realProc.link(`/proc/${pid}/cwd`);
  return link.missing ? undefined : link.value;
};

/** Whether its network is ours. False if we cannot see it. */
export const isInOwnNetwork = (pid: number, proc: ProcReader = realProc): boolean => {
  const network = proc.link(`/proc/${pid}/ns/net`);
  const own = proc.link('/proc/self/ns/net');
  return !network.missing && !own.missing && network.value === own.value;
};

/** A variable of the environment that the process was started with. */
export const environmentVariableOf = (
  pid: number,
  name: string,
  proc: ProcReader = realProc,
): ProcAnswer<string | undefined> => {
  const environment = proc.read(`/proc/${pid}/environ`);
  if (environment.missing) return environment;
  const entry = environment.value.split('\0').find((text) => text.startsWith(`${name}=`));
  return { value: entry?.slice(name.length + 1) };
};

/** Its pid in its own process namespace. Undefined if it is in ours, or gone. */
export const namespacePidOf = (pid: number): number | undefined => {
  const status = realProc.read(`/proc/${pid}/status`);
  const [, numbers = ''] = /^NSpid:\s*(.*)/m.exec(status.missing ? '' : status.value) ?? [];
  const [, ...inner] = numbers.split(/\s+/);
  return inner.length === 0 ? undefined : Number(inner.at(-1));
};

/** Whether a process has one of root's powers, by its number: see capabilities(7). */
export const hasCapability = (pid: number, capability: number): boolean => {
  const status = realProc.read(`/proc/${pid}/status`);
  const [, effective = '0'] = /^CapEff:\s*(\w+)/m.exec(status.missing ? '' : status.value) ?? [];
  return ((BigInt(`0x${effective}`) >> BigInt(capability)) & 1n) === 1n;
};

/** Bits in a set of signals. Signal 1 is bit 0. */
const SIGINT = 1 << 1;
const SIGQUIT = 1 << 2;
const SIGTSTP = 1 << 19;
const SIGTTIN = 1 << 20;
const SIGTTOU = 1 << 21;

/**
 * Whether a process is a shell that a person talks to. One with job control ignores the signals that stop
 * a job: SIGTTOU and SIGTSTP. ksh93 has a handler for SIGTSTP, but ignores SIGTTIN, and Ctrl-\ does not
 * end it either. One without job control, such as rc, is at least listed as a shell, and no key ends it.
 */
export const isInteractiveShell = (
  { pid, ignored, caught }: ProcessStat,
  proc: ProcReader = realProc,
): boolean => {
  const ignores = (signals: number) => (ignored & signals) === signals;
  const handles = (signals: number) => ((ignored | caught) & signals) === signals;
  if (ignores(SIGTTOU | SIGTSTP)) return true;
  if (ignores(SIGTTOU | SIGTTIN) && handles(SIGTSTP | SIGQUIT)) return true;
  return handles(SIGINT | SIGQUIT) && isListedShell(pid, proc) && runsNoScript(pid, proc);
};

/** Whether its arguments are options only, and none of them is -c. */
const runsNoScript = (pid: number, proc: ProcReader): boolean => {
  const line = proc.read(`/proc/${pid}/cmdline`);
  const [, ...args] = line.missing ? [] : line.value.split('\0').slice(0, -1);
  return !line.missing && args.every((arg) => /^-[^c]*$/.test(arg));
};

/** Whether the machine counts its program among the shells (shells(5)). */
const isListedShell = (pid: number, proc: ProcReader): boolean => {
  const program = proc.link(`/proc/${pid}/exe`);
  const shells = proc.read('/etc/shells');
  if (program.missing || shells.missing) return false;
  return shells.value.split('\n').includes(program.value);
};

/** Whether it has timers of timer_create(2). The kernel may not list them; then we do not know of any. */
export const hasTimers = (pid: number, proc: ProcReader): boolean => {
  const timers = proc.readKept(`/proc/${pid}/timers`);
  return timers.missing === undefined && timers.value !== '';
};

/** Whether an address is in memory that other processes can see too. */
export const isInSharedMemory = (pid: number, address: bigint, proc: ProcReader): boolean => {
  const maps = proc.read(`/proc/${pid}/maps`);
  // Without permission to look, it may be.
  if (maps.missing) return maps.missing === 'denied';
  for (const [, from, to, sharing] of maps.value.matchAll(/^([0-9a-f]+)-([0-9a-f]+) ...(.)/gm)) {
    if (address >= BigInt(`0x${from}`) && address < BigInt(`0x${to}`)) return sharing === 's';
  }
  return false;
};
