/**
 * The numbers of the system calls in which a program can wait.
 *
 * They are from arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h. If a
 * call has an older and a newer form, arm64 has only the newer one.
 */

export type SyscallName = keyof typeof table;

const table = {
  read: { x64: 0, arm64: 63 },
  readv: { x64: 19, arm64: 65 },
  write: { x64: 1, arm64: 64 },
  writev: { x64: 20, arm64: 66 },
  poll: { x64: 7, arm64: undefined },
  ppoll: { x64: 271, arm64: 73 },
  select: { x64: 23, arm64: undefined },
  pselect6: { x64: 270, arm64: 72 },
  epoll_wait: { x64: 232, arm64: undefined },
  epoll_pwait: { x64: 281, arm64: 22 },
  epoll_pwait2: { x64: 441, arm64: 441 },
  io_uring_enter: { x64: 426, arm64: 426 },
  nanosleep: { x64: 35, arm64: 101 },
  clock_nanosleep: { x64: 230, arm64: 115 },
  pause: { x64: 34, arm64: undefined },
  rt_sigsuspend: { x64: 130, arm64: 133 },
  rt_sigtimedwait: { x64: 128, arm64: 137 },
  wait4: { x64: 61, arm64: 260 },
  waitid: { x64: 247, arm64: 95 },
  futex: { x64: 202, arm64: 98 },
  recvfrom: { x64: 45, arm64: 207 },
  recvmsg: { x64: 47, arm64: 212 },
  connect: { x64: 42, arm64: 203 },
  accept: { x64: 43, arm64: 202 },
  accept4: { x64: 288, arm64: 242 },
  sendto: { x64: 44, arm64: 206 },
  sendmsg: { x64: 46, arm64: 211 },
  ioctl: { x64: 16, arm64: 29 },
  restart_syscall: { x64: 219, arm64: 128 },
} as const;

const byNumber: Record<string, Map<number, SyscallName>> = {};
for (const arch of ['x64', 'arm64'] as const) {
  byNumber[arch] = new Map();
  for (const [name, numbers] of Object.entries(table)) {
    if (numbers[arch] !== undefined) byNumber[arch].set(numbers[arch], name as SyscallName);
  }
}

/** A blocking system call: its name if we know it, and its six arguments. */
export interface BlockingCall {
  name: SyscallName | undefined;
  args: readonly bigint[];
}

/** Parses /proc/PID/task/TID/syscall. Undefined while the thread runs or is between calls. */
export const parseSyscall = (
  text: string,
  arch: string = process.arch,
): BlockingCall | undefined => {
  const [number = '', ...rest] = text.trim().split(' ');
  // The text is "running", or "-1 SP PC" if the thread is blocked outside of a call (by a page
  // fault or a stop signal).
  if (!/^\d+$/.test(number)) return undefined;
  return { name: byNumber[arch]?.get(Number(number)), args: rest.slice(0, 6).map(BigInt) };
};
