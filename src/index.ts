/** Public surface. Whatever is named here is a promise; explicit names only. */
export { TerminalError } from './errors.ts';
export type { Channel, Closed, CloseOptions } from './pty/channel.ts';
export { openPipes, type PipesOptions } from './pty/pipes.ts';
export { adoptPty, openPty, type Pty, type PtyOptions } from './pty/pty.ts';
