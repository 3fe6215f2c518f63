/** Every command. Each is loaded only when asked for: `ls` must not wait for what a server needs. */
import type { Command } from './command.ts';

export const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  open: () => import('./commands/open.ts'),
  send: () => import('./commands/send.ts'),
  run: () => import('./commands/run.ts'),
  read: () => import('./commands/read.ts'),
  wait: () => import('./commands/wait.ts'),
  ls: () => import('./commands/ls.ts'),
  resize: () => import('./commands/resize.ts'),
  signal: () => import('./commands/signal.ts'),
  close: () => import('./commands/close.ts'),
  attach: () => import('./commands/attach.ts'),
  replay: () => import('./commands/replay.ts'),
  daemon: () => import('./commands/daemon.ts'),
  mcp: () => import('./commands/mcp.ts'),
  skill: () => import('./commands/skill.ts'),
  doctor: () => import('./commands/doctor.ts'),
  completion: () => import('./commands/completion.ts'),
  demo: () => import('./commands/demo.ts'),
};

export const allCommands = async (): Promise<Command[]> =>
  Promise.all(Object.values(commands).map(async (load) => (await load()).command));
