import type { Size } from '../../../src/system/terminal/pty-device.ts';

export const USUAL: Size = { cols: 80, rows: 24 };
/** The most cells that a screen can have, in its three shapes. */
export const LARGE: Size = { cols: 1000, rows: 1000 };
export const WIDE: Size = { cols: 65535, rows: 15 };
export const TALL: Size = { cols: 100, rows: 10_000 };
