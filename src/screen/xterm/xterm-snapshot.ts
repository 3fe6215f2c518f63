/**
 * The emulator's state as data, and back: cells, cursors, modes, charsets, titles. Only what it can
 * hold between two sequences; output-parser.ts never leaves it within one, except for very long ones.
 */
import type {
  AttributesSnapshot,
  CharsetsSnapshot,
  GridSnapshot,
  RowSnapshot,
  XtermSnapshot,
} from '../screen-snapshot.ts';
import { WORDS_PER_CELL } from './cells.ts';
import type {
  Attributes,
  ExtendedAttributes,
  Xterm,
  XtermBuffer,
  XtermCore,
  XtermRow,
} from './xterm.ts';

export const snapshotXterm = ({ terminal, core }: Xterm): XtermSnapshot => {
  const { buffers, coreService, coreMouseService, _inputHandler } = core;
  return {
    cols: terminal.cols,
    rows: terminal.rows,
    isAlternate: buffers.active === buffers.alt,
    normal: snapshotGrid(buffers.normal),
    alternate: snapshotGrid(buffers.alt),
    attributes: snapshotAttributes(_inputHandler._curAttrData),
    isCursorHidden: coreService.isCursorHidden,
    isCursorInitialized: coreService.isCursorInitialized,
    modes: { ...coreService.modes },
    privateModes: withoutUndefined(coreService.decPrivateModes),
    mouse: { protocol: coreMouseService.activeProtocol, encoding: coreMouseService.activeEncoding },
    charsets: snapshotCharsets(core),
    titles: {
      title: _inputHandler._windowTitle,
      icon: _inputHandler._iconName,
      titleStack: [..._inputHandler._windowTitleStack],
      iconStack: [..._inputHandler._iconNameStack],
    },
    joinState: _inputHandler._parser.precedingJoinState,
  };
};

/** Into an emulator of the same size that has parsed nothing yet. */
export const restoreXterm = ({ core }: Xterm, snapshot: XtermSnapshot): void => {
  const { buffers, coreService, coreMouseService, _inputHandler } = core;
  if (snapshot.isAlternate) buffers.activateAltBuffer();
  const blank = _inputHandler._eraseAttrData();
  restoreGrid(buffers.normal, snapshot.normal, blank);
  restoreGrid(buffers.alt, snapshot.alternate, blank);
  restoreAttributes(_inputHandler._curAttrData, snapshot.attributes);
  coreService.isCursorHidden = snapshot.isCursorHidden;
  coreService.isCursorInitialized = snapshot.isCursorInitialized;
  Object.assign(coreService.modes, snapshot.modes);
  Object.assign(coreService.decPrivateModes, snapshot.privateModes);
  coreMouseService.activeProtocol = snapshot.mouse.protocol;
  coreMouseService.activeEncoding = snapshot.mouse.encoding;
  restoreCharsets(core, snapshot.charsets);
  const { title, icon, titleStack, iconStack } = snapshot.titles;
  _inputHandler._windowTitle = title;
  _inputHandler._iconName = icon;
  _inputHandler._windowTitleStack.push(...titleStack);
  _inputHandler._iconNameStack.push(...iconStack);
  _inputHandler._parser.precedingJoinState = snapshot.joinState;
};

export const snapshotCharsets = ({ _charsetService }: XtermCore): CharsetsSnapshot => ({
  level: _charsetService.glevel,
  ...(_charsetService.charset && { current: { ..._charsetService.charset } }),
  // A list with holes.
  all: Array.from(_charsetService._charsets, (charset) => (charset ? { ...charset } : null)),
});

export const restoreCharsets = (
  { _charsetService }: XtermCore,
  { level, current, all }: CharsetsSnapshot,
): void => {
  for (const [at, charset] of all.entries()) _charsetService.setgCharset(at, charset ?? undefined);
  _charsetService.setgLevel(level);
  _charsetService.charset = current;
};

const snapshotGrid = (grid: XtermBuffer): GridSnapshot => {
  const { x, y, ybase, ydisp, savedX, savedY, scrollTop, scrollBottom, savedCharset } = grid;
  return {
    x,
    y,
    ybase,
    ydisp,
    savedX,
    savedY,
    savedAttributes: snapshotAttributes(grid.savedCurAttrData),
    ...(savedCharset && { savedCharset: { ...savedCharset } }),
    scrollTop,
    scrollBottom,
    tabs: Object.keys(grid.tabs)
      .map(Number)
      .filter((col) => grid.tabs[col]),
    rows: Array.from({ length: grid.lines.length }, (_, at) => snapshotRow(grid.lines.get(at)!)),
  };
};

const restoreGrid = (grid: XtermBuffer, snapshot: GridSnapshot, blank: Attributes): void => {
  const { rows, tabs, savedAttributes, savedCharset, ...places } = snapshot;
  grid.lines.length = 0;
  for (const row of rows) {
    const restored = grid.getBlankLine(blank);
    restoreRow(restored, row, blank.extended);
    grid.lines.push(restored);
  }
  Object.assign(grid, places);
  restoreAttributes(grid.savedCurAttrData, savedAttributes);
  grid.savedCharset = savedCharset;
  grid.tabs = Object.fromEntries(tabs.map((col) => [col, true]));
};

const snapshotRow = ({
  isWrapped,
  length,
  _data,
  _combined,
  _extendedAttrs,
}: XtermRow): RowSnapshot => {
  const extended: Record<string, number> = {};
  for (const [col, style] of Object.entries(_extendedAttrs)) {
    if (style !== undefined) extended[col] = style._ext;
  }
  return {
    isWrapped,
    cells: cellsWithoutRepeatedEnd(_data, length),
    combined: { ..._combined },
    extended,
  };
};

/** Most rows end in many equal cells, so only the first of them is written. */
const cellsWithoutRepeatedEnd = (words: Uint32Array, cols: number): Uint8Array => {
  let cells = cols;
  while (cells > 1 && areCellsEqual(words, cells - 1, cells - 2)) cells--;
  return new Uint8Array(words.slice(0, cells * WORDS_PER_CELL).buffer);
};

const areCellsEqual = (words: Uint32Array, one: number, other: number): boolean => {
  for (let word = 0; word < WORDS_PER_CELL; word++) {
    if (words[one * WORDS_PER_CELL + word] !== words[other * WORDS_PER_CELL + word]) return false;
  }
  return true;
};

const restoreRow = (
  row: XtermRow,
  { isWrapped, cells, combined, extended }: RowSnapshot,
  style: ExtendedAttributes,
): void => {
  // A copy, since words can only be read at addresses that are multiples of four.
  const words = new Uint32Array(Uint8Array.from(cells).buffer);
  const last = words.slice(words.length - WORDS_PER_CELL);
  row._data.set(words);
  for (let at = words.length; at < row.length * WORDS_PER_CELL; at += WORDS_PER_CELL)
    row._data.set(last, at);
  row.isWrapped = isWrapped;
  Object.assign(row._combined, combined);
  for (const [col, ext] of Object.entries(extended)) {
    const restored = style.clone();
    restored._ext = ext;
    row._extendedAttrs[Number(col)] = restored;
  }
};

export const snapshotAttributes = ({ fg, bg, extended }: Attributes): AttributesSnapshot => ({
  fg,
  bg,
  extended: extended._ext,
});

export const restoreAttributes = (
  attributes: Attributes,
  { fg, bg, extended }: AttributesSnapshot,
): void => {
  attributes.fg = fg;
  attributes.bg = bg;
  attributes.extended = attributes.extended.clone();
  attributes.extended._ext = extended;
};

const withoutUndefined = <T>(record: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, T] => entry[1] !== undefined),
  );
