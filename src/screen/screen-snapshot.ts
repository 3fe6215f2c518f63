/**
 * A screen as data: everything that a new screen needs to go on exactly where another one stopped.
 *
 * Each schema is also the type of what the class of that name writes and takes. Classes import only the
 * types, so that nothing but a restore loads the checker.
 */
import { z } from 'zod';
import { bytes, flag, numberField as number, text } from './snapshot-fields.ts';

const lineStart = z.strictObject({
  id: number,
  position: number,
  continues: z.literal(true).exactOptional(),
  skipped: z.literal(true).exactOptional(),
});

/** The start of a line, and of its further pieces: see line-pieces.ts. */
const lineStarts = z.array(lineStart).min(1);

const attributes = z.strictObject({ fg: number, bg: number, extended: number });

const charset = z.record(text, text);

const charsets = z.strictObject({
  level: number,
  current: charset.exactOptional(),
  all: z.array(charset.nullable()),
});

const savedStyle = z.strictObject({ attributes, charset: charset.exactOptional() });

/** See printing-state.ts. */
export const printingSnapshot = z.strictObject({
  isAlternate: flag,
  attributes,
  charsets,
  /** Of the saved cursors of the normal and of the alternate screen. */
  saved: savedStyle,
  savedAlternate: savedStyle,
  wraps: flag,
});

const row = z.strictObject({
  isWrapped: flag,
  /** Three numbers of four bytes for each cell. The last cell repeats up to the end of the row. */
  cells: bytes.refine((cells) => cells.length > 0 && cells.length % 12 === 0),
  /** Cells with more than one character. */
  combined: z.record(text, text),
  /** Styles that do not fit into a cell, such as the colour of an underline. */
  extended: z.record(text, number),
});

const grid = z.strictObject({
  x: number,
  y: number,
  ybase: number,
  ydisp: number,
  savedX: number,
  savedY: number,
  savedAttributes: attributes,
  savedCharset: charset.exactOptional(),
  scrollTop: number,
  scrollBottom: number,
  tabs: z.array(number),
  rows: z.array(row),
});

const xterm = z.strictObject({
  cols: number,
  rows: number,
  isAlternate: flag,
  normal: grid,
  alternate: grid,
  attributes,
  isCursorHidden: flag,
  isCursorInitialized: flag,
  modes: z.record(text, flag),
  privateModes: z.record(text, z.union([flag, text])),
  mouse: z.strictObject({ protocol: text, encoding: text }),
  charsets,
  titles: z.strictObject({
    title: text,
    icon: text,
    titleStack: z.array(text),
    iconStack: z.array(text),
  }),
  /** What the next combining mark is joined to. */
  joinState: number,
});

/** See stored-pages.ts. */
const storedPage = z.strictObject({ at: number, bytes: number, checksum: number });

const gap = z.strictObject({ lineStarts: number, bytes: number, continues: flag });

const line = z.strictObject({
  id: number,
  position: number,
  text,
  continues: z.literal(true).exactOptional(),
  hidden: number.exactOptional(),
});

const history = z.strictObject({
  maxBytes: number,
  maxLines: number,
  headBytes: number,
  bytes: z.strictObject({
    end: number,
    newlines: number,
    blocks: z.array(
      z.strictObject({
        from: number,
        capacity: number,
        newlinesBefore: number,
        newlines: number,
        bytes: z.union([bytes, storedPage]),
      }),
    ),
  }),
  lines: z.strictObject({
    end: number,
    gap: gap.exactOptional(),
    pages: z.array(
      z.strictObject({
        first: number,
        from: number,
        to: number,
        gap: gap.exactOptional(),
        lines: z.union([z.array(line), storedPage]),
      }),
    ),
  }),
});

const liveLines = z.strictObject({
  position: number,
  lastFinished: number,
  stepStart: number,
  nextId: number,
  nextJumpedId: number,
  scrolledOff: z
    .strictObject({ start: lineStarts, text, cells: number, hidden: number })
    .exactOptional(),
  /** For each row of the normal screen. Null: it continues a line, or nothing has begun on it. */
  starts: z.array(lineStarts.nullable()),
  anchors: z.array(
    z.strictObject({
      position: number,
      id: number,
      cell: number,
      index: number.exactOptional(),
      /** Its line is still in the buffer. */
      isLive: flag,
    }),
  ),
});

const parser = z.strictObject({
  skippedBytes: number,
  parsedTo: number,
  partialCharacter: bytes,
  scanner: z.strictObject({
    position: number,
    lastEscape: number,
    stops: z.array(number),
    state: number,
    sequenceStart: number,
    sgr: z.strictObject({ parameter: number, canConceal: flag }),
    cutCharacter: bytes,
    signs: z.strictObject({ conceals: flag, isInvisible: flag }),
  }),
  /** A sequence that is too long to be held back, and was given to the emulator in part. */
  begunSequence: bytes,
});

export const markSnapshot = z.strictObject({
  mark: z.enum(['prompt', 'input', 'output', 'done']),
  position: number,
  aid: text.exactOptional(),
  exitCode: number.optional(),
  next: z.literal(true).exactOptional(),
  begun: z.literal(true).exactOptional(),
  sign: z.literal(true).exactOptional(),
  unseen: z.literal(true).exactOptional(),
});

const modeSwitch = z.strictObject({ on: flag, position: number });

/** To which nothing was written yet: a session that has just been opened is written down in no time. */
export const blankScreenSnapshot = z.strictObject({
  cols: number,
  rows: number,
  bareLineFeeds: flag,
  history: z.strictObject({ maxBytes: number, maxLines: number, headBytes: number }),
});

export const screenSnapshot = z.strictObject({
  bareLineFeeds: flag,
  title: text,
  cwd: text.exactOptional(),
  progress: z.strictObject({
    state: z.enum(['none', 'normal', 'error', 'indeterminate', 'paused']),
    percent: number.exactOptional(),
  }),
  marks: z.strictObject({
    last: markSnapshot.exactOptional(),
    own: markSnapshot.exactOptional(),
    ownPromptAt: number.exactOptional(),
    signAt: number.exactOptional(),
  }),
  switches: z.strictObject({
    bracketedPaste: modeSwitch.exactOptional(),
    applicationCursor: modeSwitch.exactOptional(),
    alternateScreen: modeSwitch.exactOptional(),
    cursorVisible: modeSwitch.exactOptional(),
    focusEvents: modeSwitch.exactOptional(),
    synchronizedOutput: modeSwitch.exactOptional(),
    mouse: modeSwitch.exactOptional(),
  }),
  xterm,
  history,
  lines: liveLines,
  parser,
});

export type ScreenSnapshot = z.infer<typeof screenSnapshot>;
export type BlankScreenSnapshot = z.infer<typeof blankScreenSnapshot>;
export type XtermSnapshot = z.infer<typeof xterm>;
export type GridSnapshot = z.infer<typeof grid>;
export type RowSnapshot = z.infer<typeof row>;
export type AttributesSnapshot = z.infer<typeof attributes>;
export type CharsetsSnapshot = z.infer<typeof charsets>;
export type SavedStyleSnapshot = z.infer<typeof savedStyle>;
export type PrintingSnapshot = z.infer<typeof printingSnapshot>;
export type HistorySnapshot = z.infer<typeof history>;
export type LiveLinesSnapshot = z.infer<typeof liveLines>;
export type LineStartSnapshot = z.infer<typeof lineStarts>;
export type ParserSnapshot = z.infer<typeof parser>;
export type MarksSnapshot = ScreenSnapshot['marks'];
