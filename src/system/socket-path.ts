/** Paths of unix sockets, which the kernel cuts off where they are too long. */
import { closeSync, constants, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathBelowDescriptor } from './proc/own-process.ts';

/** The size of sockaddr_un without the final NUL. A longer path would be cut off without an error. */
export const MAX_SOCKET_PATH_BYTES = 107;

/**
 * Calls `use` with a path that fits, and leads to the same place during the call: if its own is too long,
 * one through a descriptor of its folder.
 */
export const withShortSocketPath = <T>(path: string, use: (short: string) => T): T => {
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return use(path);
  const folder = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    return use(pathBelowDescriptor(folder, basename(path)));
  } finally {
    closeSync(folder);
  }
};
