/**
 * A pseudo-terminal: the pair of descriptors, its size, and the questions one can ask it.
 */
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
import { lastErrno, libc } from '../libc.ts';

/** How the terminal treats what is typed. */
export interface LineMode {
  /** The program gets whole lines, which the kernel lets the user edit (ICANON). */
  canonical: boolean;
  /** The kernel prints what is typed (ECHO). */
  echo: boolean;
  /** Ctrl-C, Ctrl-\ and Ctrl-Z send signals (ISIG). */
  signals: boolean;
  /**
   * Enter reaches the program as the line feed it expects (ICRNL without INLCR). A program that
   * edits lines by itself wants the key as it is, or swapped.
   */
  translatesEnter: boolean;
  /**
   * A line feed of the program also returns the carriage (ONLCR). Programs that draw whole screens
   * switch that off, since it would spoil their cursor movements; line editors need it.
   */
  translatesLineFeed: boolean;
}

export interface Size {
  cols: number;
  rows: number;
}

export interface PtyDevice {
  master: number;
  /**
   * Kept open by us while the program runs: a terminal whose last slave closes is hung up, and then
   * a reader cannot tell "no more now" from "no more ever".
   */
  slave: number;
  /** Such as /dev/pts/3. */
  path: string;
}

export const openPtyDevice = (size: Size): PtyDevice => {
  const { grantpt, unlockpt } = libc();
  checkSize(size);
  // What posix_openpt(3) does; through `fs`, so that Node closes it if it ends a worker thread.
  // Nonblocking, because a nonblocking read flushes the kernel's pending work before it says EAGAIN:
  // that answer is then the truth.
  const master = openFile('/dev/ptmx', O_RDWR | O_NOCTTY | O_NONBLOCK);
  try {
    if (grantpt(master) < 0) throw new TerminalUnavailable('grantpt', lastErrno());
    if (unlockpt(master) < 0) throw new TerminalUnavailable('unlockpt', lastErrno());
    const path = ptySlavePath(master);
    setTerminalSize(master, size);
    expectUtf8(master);
    return { master, slave: openFile(path, O_RDWR | O_NOCTTY), path };
  } catch (error) {
    closeSync(master);
    throw error;
  }
};

export const ptySlavePath = (master: number): string => {
  const name = Buffer.alloc(64);
  if (libc().ptsname_r(master, name, name.length) !== 0) {
    throw new TerminalUnavailable('ptsname_r', lastErrno());
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
  // struct winsize: rows, columns, and two pixel sizes nobody uses.
  const winsize = Uint16Array.of(size.rows, size.cols, 0, 0);
  libc().ioctl(fd, TIOCSWINSZ, new Uint8Array(winsize.buffer));
};

const checkSize = ({ cols, rows }: Size) => {
  const fits = (value: number) => Number.isInteger(value) && value >= 1 && value <= 0xffff;
  if (!fits(cols) || !fits(rows)) throw new InvalidSize(cols, rows);
};

/** Without IUTF8 the kernel's own line editing erases one byte of é, not the character. */
const expectUtf8 = (fd: number) => {
  const termios = readTermios(fd);
  if (termios === undefined) throw new TerminalUnavailable('tcgetattr', lastErrno());
  termios.writeUInt32LE(
    termios.readUInt32LE(TERMIOS_LAYOUT.inputFlags) | IUTF8,
    TERMIOS_LAYOUT.inputFlags,
  );
  libc().tcsetattr(fd, TCSANOW, termios);
};

/** Undefined where the terminal is gone. */
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
  };
};

const readTermios = (fd: number): Buffer | undefined => {
  const termios = Buffer.alloc(TERMIOS_LAYOUT.bytes);
  return libc().tcgetattr(fd, termios) === 0 ? termios : undefined;
};
