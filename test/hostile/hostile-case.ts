/** What a hostile session does, as data. */
import type { Size } from '../../src/system/terminal/pty-device.ts';

export interface HostileCase {
  name: string;
  kind: string;
  /** @default 80x24 */
  size?: Size;
  /** Printed once. */
  start?: string | Buffer;
  /** Printed again and again, after `start`. */
  repeated?: string | Buffer;
  /** In place of a program that prints: a program of `programs/` with its arguments, or a shell command. */
  program?: readonly [file: string, ...args: string[]];
  shell?: string;
  /** The sizes that the session gets meanwhile, one after another. */
  resizes?: readonly Size[];
  /** Its processes replace themselves all the time, so only `force` can end what has left the session. */
  isRestless?: true;
}
