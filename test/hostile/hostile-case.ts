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
  /** In place of a program that prints: a program of `programs/` with its arguments. */
  program?: readonly [file: string, ...args: string[]];
  /** In place of a program that prints: the set-up of an interactive bash. */
  shell?: string;
  /** The sizes that the session gets meanwhile, one after another. */
  resizes?: readonly Size[];
  /** Closed by force: nothing may be left. Otherwise what has left the session is named. */
  isForced?: true;
}
