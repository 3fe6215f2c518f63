/** Reads and writes ranges of a file as a whole. */
import { readSync, writeSync } from 'node:fs';

export const writeAll = (fd: number, bytes: Uint8Array, at: number): void => {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, bytes.length - done, at + done);
};

/** Shorter if the file is. */
export const readAll = (
  fd: number,
  length: number,
  at: number,
  bytes: Buffer = Buffer.alloc(length),
): Buffer => {
  let done = 0;
  for (let read = -1; read !== 0 && done < length; done += read)
    read = readSync(fd, bytes, done, length - done, at + done);
  return bytes.subarray(0, done);
};
