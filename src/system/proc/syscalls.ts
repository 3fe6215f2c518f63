/**
 * The numbers of the system calls in which a program can wait.
 *
 * They are from arch/x86/entry/syscalls/syscall_64.tbl and syscall_32.tbl, and from
 * include/uapi/asm-generic/unistd.h. If a call has an older and a newer form, arm64 has only the newer
 * one. A 32-bit program has two numbers for calls with a time: of 32 bits, and of 64.
 */

export type SyscallName = keyof typeof table;

type Abi = 'x64' | 'arm64' | 'ia32' | 'ia32Time64';
type Numbers = { [A in Abi]?: number | undefined };

const table = {
  read: { x64: 0, arm64: 63, ia32: 3 },
  readv: { x64: 19, arm64: 65, ia32: 145 },
  preadv2: { x64: 327, arm64: 286, ia32: 378 },
  splice: { x64: 275, arm64: 76, ia32: 313 },
  sendfile: { x64: 40, arm64: 71, ia32: 239 },
  write: { x64: 1, arm64: 64, ia32: 4 },
  writev: { x64: 20, arm64: 66, ia32: 146 },
  poll: { x64: 7, arm64: undefined, ia32: 168 },
  ppoll: { x64: 271, arm64: 73, ia32: 309, ia32Time64: 414 },
  select: { x64: 23, arm64: undefined, ia32: 142 },
  pselect6: { x64: 270, arm64: 72, ia32: 308, ia32Time64: 413 },
  epoll_wait: { x64: 232, arm64: undefined, ia32: 256 },
  epoll_pwait: { x64: 281, arm64: 22, ia32: 319 },
  epoll_pwait2: { x64: 441, arm64: 441, ia32: 441 },
  io_uring_enter: { x64: 426, arm64: 426, ia32: 426 },
  nanosleep: { x64: 35, arm64: 101, ia32: 162 },
  clock_nanosleep: { x64: 230, arm64: 115, ia32: 267, ia32Time64: 407 },
  pause: { x64: 34, arm64: undefined, ia32: 29 },
  rt_sigsuspend: { x64: 130, arm64: 133, ia32: 179 },
  rt_sigtimedwait: { x64: 128, arm64: 137, ia32: 177, ia32Time64: 421 },
  wait4: { x64: 61, arm64: 260, ia32: 114 },
  waitid: { x64: 247, arm64: 95, ia32: 284 },
  clone: { x64: 56, arm64: 220, ia32: 120 },
  clone3: { x64: 435, arm64: 435, ia32: 435 },
  vfork: { x64: 58, arm64: undefined, ia32: 190 },
  futex: { x64: 202, arm64: 98, ia32: 240, ia32Time64: 422 },
  recvfrom: { x64: 45, arm64: 207, ia32: 371 },
  recvmsg: { x64: 47, arm64: 212, ia32: 372 },
  connect: { x64: 42, arm64: 203, ia32: 362 },
  accept: { x64: 43, arm64: 202, ia32: undefined },
  accept4: { x64: 288, arm64: 242, ia32: 364 },
  sendto: { x64: 44, arm64: 206, ia32: 369 },
  sendmsg: { x64: 46, arm64: 211, ia32: 370 },
  ioctl: { x64: 16, arm64: 29, ia32: 54 },
  restart_syscall: { x64: 219, arm64: 128, ia32: 0 },
} as const satisfies Record<string, Numbers>;

const numbersOf = (abi: Abi): ReadonlyMap<number, SyscallName> =>
  new Map(
    Object.entries<Numbers>(table).flatMap(([name, { [abi]: number }]) =>
      number === undefined ? [] : [[number, name as SyscallName]],
    ),
  );

const byNumber: Readonly<Record<Abi, ReadonlyMap<number, SyscallName>>> = {
  x64: numbersOf('x64'),
  arm64: numbersOf('arm64'),
  ia32: numbersOf('ia32'),
  ia32Time64: numbersOf('ia32Time64'),
};

/** A blocking system call: its name if we know it, and its six arguments. */
export interface BlockingCall {
  name: SyscallName | undefined;
  args: readonly bigint[];
  /**
   * The stack pointer and the program counter. As long as the process lives, the same place in its program,
   * reached by the same calls, is the same text.
   */
  place: string;
  /** The size of each half of a time in memory. @default 8 */
  timeBytes?: 4;
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
  const args = rest.slice(0, 6).map(BigInt);
  const addresses = rest.slice(6).map(BigInt);
  const place = rest.slice(6).join(' ');
  if (arch === 'x64' && isIn32Bits(addresses)) return parse32BitCall(Number(number), args, place);
  const known = arch === 'x64' || arch === 'arm64' ? byNumber[arch] : undefined;
  return { name: known?.get(Number(number)), args, place };
};

/** Whether stack pointer and program counter are those of a 32-bit program: its stack is below 4 GiB. */
const isIn32Bits = (addresses: readonly bigint[]): boolean =>
  addresses.length === 2 && addresses.every((address) => address < 1n << 32n);

const parse32BitCall = (number: number, args: readonly bigint[], place: string): BlockingCall => {
  const withLongTime = byNumber.ia32Time64.get(number);
  if (withLongTime !== undefined) return { name: withLongTime, args, place };
  return { name: byNumber.ia32.get(number), args, place, timeBytes: 4 };
};
