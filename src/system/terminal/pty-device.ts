/** A pseudo-terminal: its pair of descriptors, its size and its line mode. */
import { closeSync, openSync } from 'node:fs';
import { InvalidSize, TerminalUnavailable } from '../../errors.ts';
import {
  ECHO,
  ICANON,
  ICRNL,
  INLCR,
  ISIG,
  IUTF8,
  O_NOCTTY,
  O_NONBLOCK,
  O_RDWR,
  ONLCR,
  TCSANOW,
  TERMIOS_LAYOUT,
  TIOCSWINSZ,
} from '../constants.ts';
import { isReserved } from '../descriptors.ts';
import { lastErrnoName, libc } from '../libc.ts';

/** How the terminal treats typed input. */
export interface LineMode {
  /** The program gets whole lines, and the kernel lets the user edit them first (ICANON). */
  canonical: boolean;
  /** The kernel prints what is typed (ECHO). */
  echo: boolean;
  /** Ctrl-C, Ctrl-\ and Ctrl-Z send signals (ISIG). */
  signals: boolean;
  /**
   * The kernel turns Enter into a line feed for the program (ICRNL without INLCR). A program that
   * edits lines itself switches this off, or swaps the two characters.
   */
  translatesEnter: boolean;
  /**
   * A line feed of the program also returns the carriage (ONLCR). Programs that draw whole screens
   * switch this off, because it would spoil their cursor movements. Line editors need it.
   */
  translatesLineFeed: boolean;
  /** In raw mode, a read returns by itself after some time (VMIN 0 with VTIME). */
  timesOutReads: boolean;
}

export interface Size {
  cols: number;
  rows: number;
}

export interface PtyDevice {
  master: number;
  /**
   * We keep the slave open while the program runs. When the last slave closes, the terminal is hung
   * up, and then a reader cannot tell "no more output now" from "no more output ever".
   */
  slave: number;
  /** The path of the slave, such as /dev/pts/3. */
  path: string;
}

export const openPtyDevice = (size: Size): PtyDevice => {
  const { grantpt, unlockpt } = libc();
  checkSize(size);
  // posix_openpt(3) does the same. We use `fs`, so that Node closes the master when a worker thread
  // ends. The master is nonblocking, because a nonblocking read flushes the kernel's pending work
  // before it fails with EAGAIN. So EAGAIN means that there really is no output.
  const master = openFile('/dev/ptmx', O_RDWR | O_NOCTTY | O_NONBLOCK);
  try {
    if (grantpt(master) < 0) throw new TerminalUnavailable('grantpt', lastErrnoName());
    if (unlockpt(master) < 0) throw new TerminalUnavailable('unlockpt', lastErrnoName());
    const path = ptySlavePath(master);
    setTerminalSize(master, size);
    setUtf8Flag(master);
    if (isReserved(master)) throw new TerminalUnavailable('open /dev/ptmx', 'EMFILE');
    return { master, slave: openFile(path, O_RDWR | O_NOCTTY), path };
  } catch (error) {
    closeSync(master);
    throw error;
  }
};

export const ptySlavePath = (master: number): string => {
  const name = Buffer.alloc(64);
  if (libc().ptsname_r(master, name, name.length) !== 0) {
    throw new TerminalUnavailable('ptsname_r', lastErrnoName());
  }
  return name.toString('latin1', 0, name.indexOf(0));
};

const openFile = (path: string, flags: number): number => {
  try {
    return openSync(path, flags);
  } catch (error) {
    throw new TerminalUnavailable(`open ${path}`, (error as NodeJS.ErrnoException).code ?? 'EIO');
  }
};

/** The foreground program gets SIGWINCH when the size changes. */
export const setTerminalSize = (fd: number, size: Size): void => {
  checkSize(size);
  // struct winsize: rows, columns, and two sizes in pixels that are not used.
  const winsize = Uint16Array.of(size.rows, size.cols, 0, 0);
  libc().ioctl(fd, TIOCSWINSZ, new Uint8Array(winsize.buffer));
};

const checkSize = ({ cols, rows }: Size) => {
  const fits = (value: number) => Number.isInteger(value) && value >= 1 && value <= 0xffff;
  if (!fits(cols) || !fits(rows)) throw new InvalidSize(cols, rows);
};

/** Without IUTF8, the kernel's line editing erases one byte of é and not the whole character. */
const setUtf8Flag = (fd: number) => {
  const termios = readTermios(fd);
  if (termios === undefined) throw new TerminalUnavailable('tcgetattr', lastErrnoName());
  termios.writeUInt32LE(
    termios.readUInt32LE(TERMIOS_LAYOUT.inputFlags) | IUTF8,
    TERMIOS_LAYOUT.inputFlags,
  );
  libc().tcsetattr(fd, TCSANOW, termios);
};

/** Undefined if the terminal is gone. */
export const readLineMode = (fd: number): LineMode | undefined => {
  const termios = readTermios(fd);
  if (termios === undefined) return undefined;
  const local = termios.readUInt32LE(TERMIOS_LAYOUT.localFlags);
  const input = termios.readUInt32LE(TERMIOS_LAYOUT.inputFlags);
  const output = termios.readUInt32LE(TERMIOS_LAYOUT.outputFlags);
  return {
    canonical: (local & ICANON) !== 0,
    echo: (local & ECHO) !== 0,
    signals: (local & ISIG) !== 0,
    translatesEnter: (input & (ICRNL | INLCR)) === ICRNL,
    translatesLineFeed: (output & ONLCR) !== 0,
    timesOutReads:
      (local & ICANON) === 0 &&
      termios[TERMIOS_LAYOUT.readMinimum] === 0 &&
      termios[TERMIOS_LAYOUT.readTime] !== 0,
  };
};

const readTermios = (fd: number): Buffer | undefined => {
  const termios = Buffer.alloc(TERMIOS_LAYOUT.bytes);
  return libc().tcgetattr(fd, termios) === 0 ? termios : undefined;
};
