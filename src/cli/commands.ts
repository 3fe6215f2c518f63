/** Every command. Each is loaded only when asked for: `ls` must not wait for what a server needs. */
import type { Command } from './command.ts';

export const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  open: () => import('./open.ts'),
  send: () => import('./send.ts'),
  run: () => import('./run.ts'),
  read: () => import('./read.ts'),
  wait: () => import('./wait.ts'),
  ls: () => import('./ls.ts'),
  resize: () => import('./resize.ts'),
  signal: () => import('./signal.ts'),
  close: () => import('./close.ts'),
  attach: () => import('./attach.ts'),
  replay: () => import('./replay.ts'),
  daemon: () => import('./daemon.ts'),
  mcp: () => import('./mcp.ts'),
  skill: () => import('./skill.ts'),
  doctor: () => import('./doctor.ts'),
  completion: () => import('./completion.ts'),
  demo: () => import('./demo.ts'),
};

export const allCommands = async (): Promise<Command[]> =>
  Promise.all(Object.values(commands).map(async (load) => (await load()).command));
