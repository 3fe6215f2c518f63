/**
 * The terminal emulator: @xterm/headless, and all of its internals that we use.
 *
 * Its public `write` parses later, in a timer, and its scrollback drops rows without notice. We
 * need each byte parsed before `write` returns (a query must be answered before the next is read),
 * and we need each row before it is dropped. So we use internals, all declared here: the input
 * handler's `parse`, the buffer service's `scroll`, the modes, and the rows themselves.
 * test/screen/xterm/xterm.test.ts fails when a new version of xterm changes one of them.
 */
import serialize from '@xterm/addon-serialize';
import headless, { type Terminal } from '@xterm/headless';
import type { RepeatingSequenceMethod } from '../sequences/work-limits.ts';
import { speedUpRows } from './fast-rows.ts';
import { UnicodeGraphemesAddon } from './unicode.ts';

/** One row of cells. `isWrapped`: it continues the line of the row above. */
export interface XtermRow {
  isWrapped: boolean;
  length: number;
  /** The number of columns up to the last one that was written. */
  getTrimmedLength(): number;
  getWidth(col: number): number;
  hasContent(col: number): number;
  translateToString(trimRight: boolean, startCol?: number, endCol?: number): string;
  resize(cols: number, fill: Cell): boolean;
  setCell(col: number, cell: Cell): void;
  setCellFromCodepoint(col: number, codePoint: number, width: number, attributes: Cell): void;
  addCodepointToCell(col: number, codePoint: number, width: number): void;
  insertCells(col: number, count: number, fill: Cell): void;
  deleteCells(col: number, count: number, fill: Cell): void;
  replaceCells(from: number, to: number, fill: Cell, keepProtected?: boolean): void;
  fill(cell: Cell, keepProtected?: boolean): void;
  copyCellsFrom(from: XtermRow, fromCol: number, toCol: number, count: number): void;
  /** The words of each cell: see cells.ts. */
  _data: Uint32Array;
  _combined: Record<number, string>;
  _extendedAttrs: Record<number, ExtendedAttributes | undefined>;
}

/** A cell by itself. Its words are `content`, `fg` and `bg`. */
export interface Cell extends Attributes {
  content: number;
}

/** Colours and flags of a cell. */
export interface Attributes {
  fg: number;
  bg: number;
  extended: ExtendedAttributes;
}

/** The style and the colour of an underline. */
export interface ExtendedAttributes {
  _ext: number;
  clone(): ExtendedAttributes;
}

/** Characters, and what is shown in their place. */
export type Charset = Record<string, string>;

interface Rows {
  length: number;
  readonly isFull: boolean;
  get(index: number): XtermRow | undefined;
  set(index: number, row: XtermRow): void;
  push(row: XtermRow): void;
  trimStart(count: number): void;
}

/**
 * `y` counts from `ybase`, the index of the first row of the screen. Rows before it scrolled off.
 */
export interface XtermBuffer {
  readonly lines: Rows;
  x: number;
  y: number;
  ybase: number;
  ydisp: number;
  /** The saved cursor, also while the alternate screen is shown. Its `y` is an index in `lines`. */
  savedX: number;
  savedY: number;
  savedCurAttrData: Attributes;
  savedCharset: Charset | undefined;
  /** The columns with a tab stop. */
  tabs: Record<number, boolean>;
  scrollTop: number;
  scrollBottom: number;
  getBlankLine(attributes: Attributes, isWrapped?: boolean): XtermRow;
  /** Always the same object, with these attributes. */
  getNullCell(attributes?: Attributes): Cell;
  readonly _bufferService: { readonly cols: number };
}

interface DecPrivateModes {
  applicationCursorKeys: boolean;
  bracketedPasteMode: boolean;
  reverseWraparound: boolean;
  sendFocus: boolean;
  synchronizedOutput: boolean;
  [other: string]: boolean | string | undefined;
}

export interface XtermCore {
  readonly buffers: {
    readonly normal: XtermBuffer;
    readonly alt: XtermBuffer;
    readonly active: XtermBuffer;
    activateAltBuffer(): void;
  };
  readonly coreService: {
    isCursorHidden: boolean;
    isCursorInitialized: boolean;
    readonly modes: Record<string, boolean>;
    readonly decPrivateModes: DecPrivateModes;
  };
  readonly coreMouseService: { activeProtocol: string; activeEncoding: string };
  readonly _charsetService: {
    charset: Charset | undefined;
    readonly glevel: number;
    readonly _charsets: readonly (Charset | undefined)[];
    setgLevel(level: number): void;
    setgCharset(level: number, charset: Charset | undefined): void;
  };
  readonly _bufferService: { scroll(eraseAttributes: Attributes, isWrapped?: boolean): void };
  readonly _inputHandler: {
    [method in RepeatingSequenceMethod]: (params: { params: number[]; length: number }) => boolean;
  } & {
    parse(bytes: Uint8Array): undefined | Promise<boolean>;
    print(codePoints: Uint32Array, start: number, end: number): void;
    restoreCursor(): boolean;
    /** The attributes of an erased cell. */
    _eraseAttrData(): Attributes;
    readonly _curAttrData: Attributes;
    _windowTitle: string;
    _iconName: string;
    readonly _windowTitleStack: string[];
    readonly _iconNameStack: string[];
    readonly _parser: {
      /** 0 between two sequences. */
      readonly currentState: number;
      reset(): void;
      /** What the next combining mark is joined to. 0: nothing. */
      precedingJoinState: number;
    };
  };
}

export interface Xterm {
  readonly terminal: Terminal;
  readonly core: XtermCore;
  readonly serializer: InstanceType<typeof serialize.SerializeAddon>;
}

/**
 * Rows that xterm keeps above the screen. They come back when the screen grows, as in any terminal.
 * A row costs about 2 KB at 120 columns, so older lines are kept as text only.
 */
export const MAX_SCROLLBACK_ROWS = 100;
/** As many as the largest screen has. A cell takes 12 bytes. */
const MAX_SCROLLBACK_CELLS = 1_000_000;

export const scrollbackRows = (cols: number): number =>
  Math.min(MAX_SCROLLBACK_ROWS, Math.floor(MAX_SCROLLBACK_CELLS / cols));

export const openXterm = (cols: number, rows: number, convertEol = false): Xterm => {
  const terminal = new headless.Terminal({
    cols,
    rows,
    convertEol,
    scrollback: scrollbackRows(cols),
    allowProposedApi: true,
    logLevel: 'off',
    // Otherwise the line with the cursor is cut when the screen gets narrower.
    reflowCursorLine: true,
    // Programs may query sizes, and push and pop the title. The title is never reported.
    windowOptions: {
      getWinSizePixels: true,
      getCellSizePixels: true,
      getWinSizeChars: true,
      pushTitle: true,
      popTitle: true,
    },
  });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  const serializer = new serialize.SerializeAddon();
  // Its types want the browser's Terminal, but it uses nothing that the headless one lacks.
  serializer.activate(terminal as never);
  const { _core: core } = terminal as unknown as { _core: XtermCore };
  speedUpRows(core.buffers.normal);
  return { terminal, core, serializer };
};

/**
 * After a resize xterm leaves the rows of the alternate screen too wide, and its serializer shows
 * the rest. Also clears half a wide character at the new edge.
 */
export const narrowAlternateRows = ({ core, terminal }: Xterm): void => {
  const { lines, getNullCell } = core.buffers.alt;
  const fill = getNullCell.call(core.buffers.alt);
  const last = terminal.cols - 1;
  for (let index = 0; index < lines.length; index++) {
    const row = lines.get(index)!;
    row.resize(terminal.cols, fill);
    if (row.getWidth(last) === 2) row.setCell(last, fill);
  }
};

/**
 * Erases above the cursor (ED 1). If the cursor is in the last column, xterm changes the row below the
 * cursor too, but looks for it from the start of the buffer. It throws if there is none: 14 bytes of
 * output would end the process.
 */
export const mendEraseAbove = ({ core, terminal }: Xterm): void => {
  for (const prefix of ['', '?'])
    terminal.parser.registerCsiHandler({ ...(prefix && { prefix }), final: 'J' }, ([which]) => {
      if (which !== 1) return false;
      const buffer = core.buffers.active;
      const blank = buffer.getNullCell(core._inputHandler._eraseAttrData());
      const end = Math.min(buffer.x, terminal.cols - 1) + 1;
      const cursorRow = buffer.lines.get(buffer.ybase + buffer.y)!;
      cursorRow.replaceCells(0, end, blank, prefix === '?');
      cursorRow.isWrapped = false;
      const below = buffer.lines.get(buffer.ybase + buffer.y + 1);
      if (end === terminal.cols && below !== undefined) below.isWrapped = false;
      for (let row = 0; row < buffer.y; row++) {
        const above = buffer.lines.get(buffer.ybase + row)!;
        above.fill(blank, prefix === '?');
        above.isWrapped = false;
      }
      return true;
    });
};

/**
 * After the last column the cursor waits to wrap. xterm restores such a cursor onto the last column
 * instead, where the next character would overwrite the last one.
 */
export const restoreCursorAfterLastColumn = ({ core, terminal }: Xterm): void => {
  const input = core._inputHandler;
  const restore = input.restoreCursor.bind(input);
  input.restoreCursor = () => {
    restore();
    const { active } = core.buffers;
    if (active.savedX === terminal.cols) active.x = active.savedX;
    return true;
  };
};
