/**
 * The constants of the system calls we make.
 *
 * Each has the same value on x64 and arm64, in glibc and in musl (asm-generic/fcntl.h, ioctls.h,
 * termbits.h); the sizes of opaque structures are upper bounds for both.
 */
import { constants } from 'node:fs';

export const O_RDWR = 0o2;
export const O_NOCTTY = 0o400;
export const O_NONBLOCK = 0o4000;
export const O_CLOEXEC = 0o2000000;
/** With O_DIRECTORY, whose value differs: 0o200000 on x64, 0o40000 on arm64. */
export const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

export const F_SETFD = 2;
export const FD_CLOEXEC = 1;
export const F_GETFL = 3;
export const F_SETFL = 4;
export const F_DUPFD_CLOEXEC = 1030;
export const F_GETPIPE_SZ = 1032;

/** For flock(2): an exclusive lock, without waiting for it. */
export const LOCK_EX_NB = 2 | 4;

export const TIOCSWINSZ = 0x5414;
/** Opens the slave of a master, in whatever file system its name is. */
export const TIOCGPTPEER = 0x5441;
export const TIOCGSID = 0x5429;
/** Opens the user namespace that a namespace belongs to. */
export const NS_GET_USERNS = 0xb701;
export const FIONREAD = 0x541b;

export const POLLIN = 0x1;
/** Nobody holds the other end. */
export const POLLHUP = 0x10;
/** Every event that says there is something to read: POLLIN, POLLRDNORM, POLLRDBAND. Those of epoll too. */
export const POLL_READABLE = 0x1 | 0x40 | 0x80;
/** struct pollfd: int fd; short events; short revents. */
export const POLLFD_LAYOUT = { bytes: 8, events: 4, revents: 6 } as const;

/** struct termios as libc returns it: the flag words come first, with 32 bits each. */
export const TERMIOS_LAYOUT = {
  bytes: 60,
  inputFlags: 0,
  outputFlags: 4,
  localFlags: 12,
  /** The characters begin at 17: VTIME is the sixth, VMIN the seventh. */
  readTime: 22,
  readMinimum: 23,
} as const;
export const ISIG = 0o1;
export const ICANON = 0o2;
export const ECHO = 0o10;
export const ONLCR = 0o4;
export const INLCR = 0o100;
export const ICRNL = 0o400;
export const IUTF8 = 0o40000;
export const TCSANOW = 0;

export const WNOHANG = 1;
/** For waitid(2): processes that have exited, and leave them for a later wait. */
export const WEXITED = 4;
export const WNOWAIT = 0x01000000;
export const P_PID = 1;
/** siginfo_t as waitid(2) fills it: on 64-bit systems the fields of SIGCHLD begin at 16. */
export const SIGINFO_LAYOUT = { bytes: 128, code: 8, pid: 16, status: 24 } as const;
/** In `code`: it called exit. Otherwise a signal has ended it. */
export const CLD_EXITED = 1;

export const PR_SET_DUMPABLE = 4;
export const PR_SET_CHILD_SUBREAPER = 36;

/** To raise limits, among others. */
export const CAP_SYS_RESOURCE = 24;
/** A limit that Linux ignores. */
export const RLIMIT_LOCKS = 10;
/** struct rlimit: two numbers with 64 bits each. */
export const RLIMIT_LAYOUT = { bytes: 16, soft: 0, hard: 8, unlimited: 2n ** 64n - 1n } as const;

export const MFD_CLOEXEC = 1;
export const PROT_READ_WRITE = 1 | 2;
export const MAP_SHARED = 1;
/** MAP_PRIVATE, MAP_FIXED, MAP_ANONYMOUS and MAP_NORESERVE. */
export const MAP_EMPTY_AT = 0x2 | 0x10 | 0x20 | 0x4000;
export const MADV_DONTNEED = 4;
/** For fallocate(2): FALLOC_FL_KEEP_SIZE and FALLOC_FL_PUNCH_HOLE. */
export const PUNCH_HOLE = 0x1 | 0x2;
/** A parameter of mallopt(3). */
export const M_MMAP_THRESHOLD = -3;
/** (void *) -1 */
export const MAP_FAILED = 2n ** 64n - 1n;

export const AF_UNIX = 1;
export const AF_INET = 2;
export const AF_INET6 = 10;
export const AF_NETLINK = 16;
export const SOCK_STREAM = 1;
export const SOCK_RAW = 3;
export const IPPROTO_TCP = 6;
export const SOL_SOCKET = 1;
/** The kind of a control message that has descriptors in it. */
export const SCM_RIGHTS = 1;
export const MSG_DONTWAIT = 0x40;
export const MSG_NOSIGNAL = 0x4000;
export const MSG_CMSG_CLOEXEC = 0x40000000;
/** struct msghdr: glibc and musl on 64-bit systems. The lengths are read as 64 bits by the kernel. */
export const MSGHDR_LAYOUT = {
  bytes: 56,
  parts: 16,
  partCount: 24,
  control: 32,
  controlBytes: 40,
} as const;
/** struct iovec: address and length. */
export const IOVEC_BYTES = 16;
/** struct cmsghdr: length (64 bits), level, type; then the descriptors, with 32 bits each. */
export const CMSGHDR_LAYOUT = { bytes: 16, level: 8, type: 12 } as const;
/** struct sockaddr_un: the family, then the path, which ends with a zero byte. */
export const SOCKADDR_UN_LAYOUT = { bytes: 110, path: 2 } as const;
export const SO_PEERCRED = 17;
/** Whether a socket listens. */
export const SO_ACCEPTCONN = 30;
export const SO_DOMAIN = 39;
/** struct ucred: pid, uid and gid, with 32 bits each. */
export const UCRED_LAYOUT = { bytes: 12, pid: 0, uid: 4 } as const;

/** sock_diag(7): what the kernel tells of sockets, over netlink(7). */
export const NETLINK_SOCK_DIAG = 4;
export const SOCK_DIAG_BY_FAMILY = 20;
/** NLM_F_REQUEST and NLM_F_DUMP: all of them. */
export const NLM_F_REQUEST_DUMP = 0x1 | 0x300;
export const NLMSG_ERROR = 2;
export const NLMSG_DONE = 3;
/** struct nlmsghdr: first the length of the message, with 32 bits. */
export const NLMSGHDR_LAYOUT = { bytes: 16, type: 4, flags: 6 } as const;
/** struct inet_diag_req_v2: first the family, with 8 bits. */
export const INET_DIAG_REQUEST_LAYOUT = { bytes: 56, protocol: 1, states: 4 } as const;
/** struct inet_diag_msg: port and address as they are on the wire. */
export const INET_DIAG_LAYOUT = { port: 4, address: 8, inode: 68 } as const;
/** From include/net/tcp_states.h. */
export const TCP_LISTEN_STATE = 10;

/** System calls for which libc has no function. Their numbers are the same on both architectures. */
export const SYS_PIDFD_SEND_SIGNAL = 424;
export const SYS_PIDFD_OPEN = 434;
export const SYS_PIDFD_GETFD = 438;

export const POSIX_SPAWN_SETSIGDEF = 0x04;
export const POSIX_SPAWN_SETSIGMASK = 0x08;
export const POSIX_SPAWN_SETSID = 0x80;

/** Upper bounds: posix_spawn_file_actions_t has 80 bytes, posix_spawnattr_t 336, sigset_t 128. */
export const MAX_FILE_ACTIONS_BYTES = 256;
export const MAX_SPAWN_ATTRIBUTES_BYTES = 512;
export const MAX_SIGNAL_SET_BYTES = 128;
