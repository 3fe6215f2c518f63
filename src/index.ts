/** Public surface. Whatever is named here is a promise; explicit names only. */
export { TerminalError } from './errors.ts';
export type { Channel, Closed, CloseOptions } from './pty/channel.ts';
export type { Survivor } from './pty/closing.ts';
export { openPipes, type Pipes, type PipesOptions } from './pty/pipes.ts';
export { type Adopted, adoptPty, openPty, type Pty, type PtyOptions } from './pty/pty.ts';
export type { Exit } from './pty/reaper.ts';
