/**
 * The table of libc functions we call. It is loaded on first use, so that importing the package does
 * no harm on another operating system.
 */
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { UnsupportedPlatform } from '../errors.ts';
import { MAP_EMPTY_AT, MAP_FAILED, MAP_SHARED, PROT_READ_WRITE } from './constants.ts';

type Call<Args extends unknown[]> = (...args: Args) => number;

export interface Libc {
  /** The error number of the last call that failed. */
  errno(): number;
  grantpt: Call<[master: number]>;
  unlockpt: Call<[master: number]>;
  ptsname_r: Call<[master: number, name: Uint8Array, bytes: number]>;
  tcgetattr: Call<[fd: number, termios: Uint8Array]>;
  tcsetattr: Call<[fd: number, when: number, termios: Uint8Array]>;
  tcgetpgrp: Call<[fd: number]>;
  ioctl: Call<[fd: number, request: number, argument: Uint8Array]>;
  /** The ioctl whose argument is a number. */
  ioctlWithNumber: Call<[fd: number, request: number, argument: number]>;
  fcntl: Call<[fd: number, command: number, argument: number]>;
  pipe2: Call<[ends: Int32Array, flags: number]>;
  close: Call<[fd: number]>;
  flock: Call<[fd: number, operation: number]>;
  poll: Call<[fds: Uint8Array, count: number, timeoutMs: number]>;
  waitpid: Call<[pid: number, status: Int32Array, options: number]>;
  waitid: Call<[type: number, id: number, info: Uint8Array, options: number]>;
  prctl: Call<[operation: number, argument: number]>;
  prlimit: Call<[pid: number, resource: number, limits: Uint8Array, old: null]>;
  getsockopt: Call<
    [fd: number, level: number, option: number, value: Uint8Array, bytes: Uint32Array]
  >;
  socket: Call<[family: number, type: number, protocol: number]>;
  socketpair: Call<[family: number, type: number, protocol: number, ends: Int32Array]>;
  bind: Call<[fd: number, address: Uint8Array, bytes: number]>;
  listen: Call<[fd: number, backlog: number]>;
  sendmsg: Call<[fd: number, message: Uint8Array, flags: number]>;
  recvmsg: Call<[fd: number, message: Uint8Array, flags: number]>;
  memfd_create: Call<[name: string, flags: number]>;
  fallocate: Call<[fd: number, mode: number, offset: number, bytes: number]>;
  /** Returns only if it fails. */
  execve: Call<[path: string, argv: readonly (string | null)[], envp: readonly (string | null)[]]>;
  /** Returns an errno, or 0 for success. */
  posix_fallocate: Call<[fd: number, from: number, bytes: number]>;
  /** Undefined in musl, which gives free memory back by itself. */
  malloc_trim: Call<[keptBytes: number]> | undefined;
  mallopt: Call<[parameter: number, value: number]> | undefined;
  /** Maps a file, shared, and returns its bytes. Undefined if that fails. */
  mapShared(fd: number, bytes: number): ArrayBuffer | undefined;
  /** Replaces what is mapped at an address by empty memory, which takes none until it is written. */
  mapEmpty(address: bigint, bytes: number): void;
  munmap: Call<[address: bigint, bytes: number]>;
  madvise: Call<[address: bigint, bytes: number, advice: number]>;
  /** Where the bytes are in memory, for structures that have pointers in them. */
  addressOf(bytes: Uint8Array): bigint;
  syscall: Call<[number: number, first: number, second: number, third: number]>;
  /** pidfd_send_signal(2), for which old versions of libc have no function. */
  pidfdSendSignal: Call<[number: number, pidfd: number, signal: number, info: 0, flags: 0]>;
  actions_init: Call<[actions: Uint8Array]>;
  actions_destroy: Call<[actions: Uint8Array]>;
  actions_addopen: Call<
    [actions: Uint8Array, fd: number, path: string, flags: number, mode: number]
  >;
  actions_adddup2: Call<[actions: Uint8Array, from: number, to: number]>;
  actions_addclose: Call<[actions: Uint8Array, fd: number]>;
  /** Undefined in glibc before 2.29. */
  actions_addchdir: Call<[actions: Uint8Array, path: string]> | undefined;
  /** Undefined in glibc before 2.34 and in musl. */
  actions_addclosefrom: Call<[actions: Uint8Array, from: number]> | undefined;
  attributes_init: Call<[attributes: Uint8Array]>;
  attributes_destroy: Call<[attributes: Uint8Array]>;
  attributes_setflags: Call<[attributes: Uint8Array, flags: number]>;
  attributes_setsigdefault: Call<[attributes: Uint8Array, signals: Uint8Array]>;
  attributes_setsigmask: Call<[attributes: Uint8Array, signals: Uint8Array]>;
  /**
   * Runs on a thread of its own, because posix_spawn blocks its caller until the program has been
   * loaded. From a slow disk that takes seconds. Resolves to an errno, or 0 for success.
   */
  posix_spawn(
    pid: Int32Array,
    path: string,
    actions: Uint8Array,
    attributes: Uint8Array,
    argv: readonly (string | null)[],
    envp: readonly (string | null)[],
  ): Promise<number>;
}

let table: Libc | undefined;

export const libc = (): Libc => {
  table ??= load();
  return table;
};

/** The name of the last failed call's errno, such as `ENOENT`. */
export const lastErrnoName = (): string => errnoName(libc().errno());

export const errnoName = (errno: number): string =>
  Object.entries(constants.errno).find(([, value]) => value === errno)?.[0] ?? `errno ${errno}`;

const load = (): Libc => {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    throw new UnsupportedPlatform(process.platform, process.arch);
  }
  // `require` and not `import`: importing koffi throws if it has no binary for this platform.
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
  // Node itself is linked against libc (glibc or musl), so we do not need to name a library.
  const lib = koffi.load(null);
  const optional = (signature: string) => {
    try {
      return lib.func(signature);
    } catch {
      return undefined;
    }
  };
  const posix_spawn = lib.func(
    'int posix_spawn(void *pid, const char *path, const void *actions, const void *attributes, const char **argv, const char **envp)',
  );
  const mmap = lib.func(
    'void *mmap(void *near, size_t bytes, int protection, int flags, int fd, long offset)',
  );
  return {
    errno: koffi.errno,
    grantpt: lib.func('int grantpt(int fd)'),
    unlockpt: lib.func('int unlockpt(int fd)'),
    ptsname_r: lib.func('int ptsname_r(int fd, void *name, size_t bytes)'),
    tcgetattr: lib.func('int tcgetattr(int fd, void *termios)'),
    tcsetattr: lib.func('int tcsetattr(int fd, int when, const void *termios)'),
    tcgetpgrp: lib.func('int tcgetpgrp(int fd)'),
    // ioctl and fcntl are variadic in C. With one integer or pointer as the last argument, the calling
    // convention is the same on both architectures.
    ioctl: lib.func('int ioctl(int fd, unsigned long request, void *argument)'),
    ioctlWithNumber: lib.func('ioctl', 'int', ['int', 'unsigned long', 'long']),
    fcntl: lib.func('int fcntl(int fd, int command, long argument)'),
    pipe2: lib.func('int pipe2(void *ends, int flags)'),
    close: lib.func('int close(int fd)'),
    flock: lib.func('int flock(int fd, int operation)'),
    poll: lib.func('int poll(void *fds, unsigned long count, int timeout_ms)'),
    waitpid: lib.func('int waitpid(int pid, void *status, int options)'),
    waitid: lib.func('int waitid(int type, unsigned int id, void *info, int options)'),
    // Variadic in C, like ioctl.
    prctl: lib.func('int prctl(int operation, unsigned long argument)'),
    prlimit: lib.func('int prlimit(int pid, int resource, const void *limits, void *old)'),
    getsockopt: lib.func('int getsockopt(int fd, int level, int option, void *value, void *bytes)'),
    socket: lib.func('int socket(int family, int type, int protocol)'),
    socketpair: lib.func('int socketpair(int family, int type, int protocol, void *ends)'),
    bind: lib.func('int bind(int fd, const void *address, unsigned int bytes)'),
    listen: lib.func('int listen(int fd, int backlog)'),
    sendmsg: lib.func('long sendmsg(int fd, const void *message, int flags)'),
    recvmsg: lib.func('long recvmsg(int fd, void *message, int flags)'),
    memfd_create: lib.func('int memfd_create(const char *name, unsigned int flags)'),
    fallocate: lib.func('int fallocate(int fd, int mode, long offset, long bytes)'),
    execve: lib.func('int execve(const char *path, const char **argv, const char **envp)'),
    posix_fallocate: lib.func('int posix_fallocate(int fd, long from, long bytes)'),
    malloc_trim: optional('int malloc_trim(size_t kept_bytes)'),
    mallopt: optional('int mallopt(int parameter, int value)'),
    mapShared: (fd, bytes) => {
      const address: bigint = mmap(null, bytes, PROT_READ_WRITE, MAP_SHARED, fd, 0);
      return address === MAP_FAILED ? undefined : koffi.view(address, bytes);
    },
    mapEmpty: (address, bytes) => void mmap(address, bytes, PROT_READ_WRITE, MAP_EMPTY_AT, -1, 0),
    munmap: lib.func('int munmap(void *address, size_t bytes)'),
    madvise: lib.func('int madvise(void *address, size_t bytes, int advice)'),
    addressOf: (bytes) => koffi.address(bytes),
    syscall: lib.func('long syscall(long number, long first, long second, long third)'),
    pidfdSendSignal: lib.func('syscall', 'long', ['long', 'long', 'long', 'long', 'long']),
    actions_init: lib.func('int posix_spawn_file_actions_init(void *actions)'),
    actions_destroy: lib.func('int posix_spawn_file_actions_destroy(void *actions)'),
    actions_addopen: lib.func(
      'int posix_spawn_file_actions_addopen(void *actions, int fd, const char *path, int flags, unsigned int mode)',
    ),
    actions_adddup2: lib.func(
      'int posix_spawn_file_actions_adddup2(void *actions, int from, int to)',
    ),
    actions_addclose: lib.func('int posix_spawn_file_actions_addclose(void *actions, int fd)'),
    actions_addchdir: optional(
      'int posix_spawn_file_actions_addchdir_np(void *actions, const char *path)',
    ),
    actions_addclosefrom: optional(
      'int posix_spawn_file_actions_addclosefrom_np(void *actions, int from)',
    ),
    attributes_init: lib.func('int posix_spawnattr_init(void *attributes)'),
    attributes_destroy: lib.func('int posix_spawnattr_destroy(void *attributes)'),
    attributes_setflags: lib.func('int posix_spawnattr_setflags(void *attributes, short flags)'),
    attributes_setsigdefault: lib.func(
      'int posix_spawnattr_setsigdefault(void *attributes, const void *signals)',
    ),
    attributes_setsigmask: lib.func(
      'int posix_spawnattr_setsigmask(void *attributes, const void *signals)',
    ),
    posix_spawn: (...args) =>
      new Promise((resolve, reject) => {
        posix_spawn.async(...args, (error: Error | null, errno: number) =>
          error ? reject(error) : resolve(errno),
        );
      }),
  };
};
