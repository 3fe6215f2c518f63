import { isOutOfDescriptors } from '../system/descriptors.ts';
import type { ListeningSockets } from '../system/listening-sockets.ts';

/** Where a program and its descendants listen; nowhere, if there is no descriptor to look with. */
export const portsOf = (sockets: ListeningSockets, pid: number): number[] => {
  try {
    return sockets.ports(pid);
  } catch (error) {
    if (isOutOfDescriptors(error)) return [];
    throw error;
  }
};
