/** The namespaces of other processes. */
import { openSync } from 'node:fs';
import { realProc } from './proc.ts';

/** Whether the users of its user namespace are known yet. Before, who enters it is nobody there. */
export const hasUserMap = (pid: number): boolean => {
  const map = realProc.read(`/proc/${pid}/uid_map`);
  return map.missing === undefined && map.value.trim() !== '';
};

/** Its network namespace, as a descriptor. Throws if it is gone, or another user's. */
export const openNetworkOf = (pid: number): number => openSync(`/proc/${pid}/ns/net`, 'r');
