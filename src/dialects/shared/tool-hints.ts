/** What a tool does, as a client may want to know before it calls one. */
import type { ToolHints } from '../tool.ts';

/** Whatever a program can do, it can do to the whole world. */
export const actingHints: ToolHints = {
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
};

/** Two looks may show two things: what is new is new once. */
export const readingHints: ToolHints = {
  readOnly: true,
  destructive: false,
  idempotent: false,
  openWorld: false,
};

/** Says how it stands, however often. */
export const listingHints: ToolHints = { ...readingHints, idempotent: true };
