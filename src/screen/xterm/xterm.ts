/**
 * The terminal emulator: @xterm/headless, and everything of its inside that we touch.
 *
 * Its public `write` parses later, in a timer, and its scrollback forgets without a word. We need
 * each byte parsed before `write` returns (a question must be answered before the next is read), and
 * each row seen before it is forgotten. So internals are used, all declared here: the input handler's
 * `parse`, the buffer service's `scroll`, the modes, and the rows themselves.
 * test/screen/xterm.test.ts fails when a new version of xterm changes one of them.
 */
import serialize from '@xterm/addon-serialize';
import headless, { type Terminal } from '@xterm/headless';
import type { RepeatingMethod } from '../sequences/work-limits.ts';
import { UnicodeGraphemesAddon } from './unicode.ts';

/** One row of cells. `isWrapped`: the line of the row above goes on here. */
export interface Row {
  isWrapped: boolean;
  readonly length: number;
  /** The columns up to and including the last one that was written. */
  getTrimmedLength(): number;
  getWidth(col: number): number;
  hasContent(col: number): number;
  translateToString(trimRight: boolean, startCol?: number, endCol?: number): string;
  resize(cols: number, fill: Cell): boolean;
  setCell(col: number, cell: Cell): void;
}

/** Opaque to us. */
type Cell = object;

/** Colours and flags of what is printed next. */
interface Attributes {
  fg: number;
  bg: number;
}

interface Rows {
  readonly length: number;
  readonly isFull: boolean;
  get(index: number): Row | undefined;
  set(index: number, row: Row): void;
  trimStart(count: number): void;
}

/** `y` counts from `ybase`, the index of the first row of the screen; rows before it scrolled off. */
export interface Grid {
  readonly lines: Rows;
  x: number;
  y: number;
  ybase: number;
  ydisp: number;
  /** The cursor put aside, also for as long as the alternate screen is shown; its `y` is an index. */
  savedX: number;
  savedY: number;
  scrollTop: number;
  scrollBottom: number;
  getBlankLine(attributes: Attributes): Row;
  getNullCell(): Cell;
}

interface DecPrivateModes {
  applicationCursorKeys: boolean;
  bracketedPasteMode: boolean;
  reverseWraparound: boolean;
  sendFocus: boolean;
  synchronizedOutput: boolean;
}

export interface Core {
  readonly buffers: { readonly normal: Grid; readonly alt: Grid; readonly active: Grid };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly decPrivateModes: DecPrivateModes;
  };
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string };
  readonly _bufferService: { scroll(eraseAttributes: Attributes, isWrapped?: boolean): void };
  readonly _inputHandler: {
    [method in RepeatingMethod]: (params: { params: number[]; length: number }) => boolean;
  } & {
    parse(bytes: Uint8Array): undefined | Promise<boolean>;
    restoreCursor(): boolean;
    /** What an erased cell looks like. */
    _eraseAttrData(): Attributes;
    readonly _parser: {
      /** 0 between two sequences. */
      readonly currentState: number;
      /** What the next mark would be joined to; 0: nothing. */
      precedingJoinState: number;
    };
  };
}

export interface Xterm {
  readonly terminal: Terminal;
  readonly core: Core;
  readonly serializer: InstanceType<typeof serialize.SerializeAddon>;
}

/**
 * Rows that xterm keeps above the screen. They come back when the screen grows, as on a person's
 * terminal; a row costs about 2 KB at 120 columns, so lines older than these are kept as text.
 */
export const SCROLLBACK_ROWS = 100;

export const openXterm = (cols: number, rows: number, convertEol = false): Xterm => {
  const terminal = new headless.Terminal({
    cols,
    rows,
    convertEol,
    scrollback: SCROLLBACK_ROWS,
    allowProposedApi: true,
    logLevel: 'off',
    // Otherwise a line that holds the cursor is cut when the screen gets narrower.
    reflowCursorLine: true,
    // Sizes may be asked for, and a title be put aside and restored. Titles are never reported.
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
  // Its types name the browser's Terminal; it uses nothing the headless one lacks.
  serializer.activate(terminal as never);
  return { terminal, core: (terminal as unknown as { _core: Core })._core, serializer };
};

/**
 * xterm leaves the rows of the alternate screen as wide as they were, and its serializer shows it. Of
 * a wide character at the new edge the half that is left is no character.
 */
export const narrowAlternate = ({ core, terminal }: Xterm): void => {
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
 * Behind the last column the cursor waits to wrap. xterm restores it onto that column instead, and
 * what is printed next would take the place of the last character.
 */
export const restoreBehindLastColumn = ({ core, terminal }: Xterm): void => {
  const input = core._inputHandler;
  const restore = input.restoreCursor.bind(input);
  input.restoreCursor = () => {
    restore();
    const { active } = core.buffers;
    if (active.savedX === terminal.cols) active.x = active.savedX;
    return true;
  };
};
