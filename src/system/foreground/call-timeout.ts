/** How soon a blocking call returns by itself. */
import type { ProcReader } from '../proc/proc.ts';
import type { BlockingCall } from '../proc/syscalls.ts';

export interface ThreadInCall {
  /** In whose memory the arguments of the call are. */
  pid: number;
  call: BlockingCall;
  /** The argument of a call is the whole time, so this is subtracted. */
  sleptAtMostMs: number;
}

/** In how many milliseconds at the soonest, and 0 if that is not known. Undefined if it has no time-out. */
export const msUntilTimeout = (thread: ThreadInCall, proc: ProcReader): number | undefined => {
  const timeout = timeoutOf(thread, proc);
  if (timeout === undefined) return undefined;
  if (timeout === 'unknown') return 0;
  const { ms, clock } = timeout;
  return Math.max(0, ms - (clock === undefined ? thread.sleptAtMostMs : now[clock]()));
};

/** Longer pauses between two looks at the keyboard would be felt. */
const NAP_MS = 250;

/** Whether the call, from its begin to its end, takes no longer than a program pauses between two looks. */
export const isNap = (thread: ThreadInCall, proc: ProcReader): boolean => {
  const timeout = timeoutOf(thread, proc);
  if (timeout === undefined || timeout === 'unknown') return false;
  return timeout.clock === undefined && timeout.ms <= NAP_MS;
};

/** A time on a clock, or, without one, from when the call was made. */
interface Timeout {
  ms: number;
  clock?: Clock;
}

type Clock = 'monotonic' | 'real';

const now: Readonly<Record<Clock, () => number>> = {
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  real: () => Date.now(),
};

type MaybeTimeout = Timeout | 'unknown' | undefined;

const timeoutOf = (thread: ThreadInCall, proc: ProcReader): MaybeTimeout => {
  const { name, args } = thread.call;
  const [first = 0n, second = 0n, third = 0n, fourth = 0n, fifth = 0n] = args;
  const time = (address: bigint, unitsPerMs = NANOSECONDS) =>
    readTime(thread, address, unitsPerMs, proc);
  switch (name) {
    case 'poll':
      return milliseconds(third);
    case 'epoll_wait':
    case 'epoll_pwait':
      return milliseconds(fourth);
    case 'ppoll':
      return time(third);
    case 'epoll_pwait2':
      return time(fourth);
    case 'select':
      return time(fifth, MICROSECONDS);
    case 'pselect6':
      return time(fifth);
    case 'nanosleep':
      return time(first);
    case 'rt_sigtimedwait':
      return time(third);
    case 'clock_nanosleep':
      return onClock(time(third), (second & TIMER_ABSTIME) !== 0n, clockOf(first));
    case 'futex': {
      const isAbsolute = (second & FUTEX_COMMAND) !== FUTEX_WAIT;
      const isReal = (second & FUTEX_CLOCK_REALTIME) !== 0n;
      return onClock(time(fourth), isAbsolute, isReal ? 'real' : 'monotonic');
    }
    default:
      return undefined;
  }
};

const TIMER_ABSTIME = 1n;
const FUTEX_WAIT = 0n;
const FUTEX_COMMAND = 0x7fn;
const FUTEX_CLOCK_REALTIME = 0x100n;

const clockOf = (id: bigint): Clock | undefined =>
  id === 0n ? 'real' : id === 1n ? 'monotonic' : undefined;

const onClock = (
  timeout: MaybeTimeout,
  isAbsolute: boolean,
  clock: Clock | undefined,
): MaybeTimeout => {
  if (timeout === undefined || timeout === 'unknown' || !isAbsolute) return timeout;
  return clock === undefined ? 'unknown' : { ...timeout, clock };
};

/** A C int in a 64-bit register, so the upper half of the register means nothing. Negative: for ever. */
const milliseconds = (argument: bigint): Timeout | undefined => {
  const ms = Number(BigInt.asIntN(32, argument));
  return ms < 0 ? undefined : { ms };
};

const NANOSECONDS = 1e6;
const MICROSECONDS = 1e3;

/** A struct timespec or timeval: seconds, and what `unitsPerMs` says. */
const readTime = (
  { pid, call }: ThreadInCall,
  address: bigint,
  unitsPerMs: number,
  proc: ProcReader,
): MaybeTimeout => {
  if (address === 0n) return undefined;
  const half = call.timeBytes ?? 8;
  const struct = proc.memory(pid, address, 2 * half);
  if (struct.missing) return 'unknown';
  const read = (at: number) =>
    half === 4 ? struct.value.readInt32LE(at) : Number(struct.value.readBigInt64LE(at));
  return { ms: read(0) * 1000 + read(half) / unitsPerMs };
};
