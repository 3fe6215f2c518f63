/**
 * This process, and the one that keeps its terminals and adopts its programs. Neither belongs to a
 * session, though both hold its terminal.
 */
const own = new Set([process.pid]);

/** Called once in a process that has a keeper, which is its parent. */
export const addKeeperProcess = (pid: number): void => void own.add(pid);

export const isOwnProcess = (pid: number): boolean => own.has(pid);
