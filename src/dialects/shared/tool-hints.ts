/** Hints that tell a client, before a call, what kind of effect a tool has. */
import type { ToolHints } from '../tool.ts';

/** For tools that run or feed a program: it can do anything, also over the network. */
export const actingHints: ToolHints = {
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
};

/** For tools that read new output. Not idempotent: new output is returned only once. */
export const readingHints: ToolHints = {
  readOnly: true,
  destructive: false,
  idempotent: false,
  openWorld: false,
};

/** For tools that report the current state, which can be repeated freely. */
export const listingHints: ToolHints = { ...readingHints, idempotent: true };
