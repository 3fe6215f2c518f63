import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { limitSequenceWork } from '../../../src/screen/sequences/work-limits.ts';
import { UnicodeGraphemesAddon } from '../../../src/screen/xterm/unicode.ts';
import { openXterm, type XtermCore } from '../../../src/screen/xterm/xterm.ts';
import { forSeeds, type Random } from '../../helpers/seeded.ts';

const COLS = 12;
const ROWS = 6;

/** xterm as it is: loaded a second time, so that it has rows of its own. */
const openOriginal = (): XtermCore => {
  const require = createRequire(import.meta.url);
  const path = require.resolve('@xterm/headless');
  const loaded = require.cache[path];
  delete require.cache[path];
  const { Terminal } = require('@xterm/headless') as typeof import('@xterm/headless');
  require.cache[path] = loaded;
  const terminal = new Terminal({
    cols: COLS,
    rows: ROWS,
    scrollback: 100,
    allowProposedApi: true,
    logLevel: 'off',
  });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  return (terminal as unknown as { _core: XtermCore })._core;
};

const openOurs = (): XtermCore => {
  const xterm = openXterm(COLS, ROWS);
  limitSequenceWork(xterm);
  return xterm.core;
};

const cellsOf = ({ buffers }: XtermCore): object => {
  const { lines, x, y, ybase } = buffers.active;
  const rows = Array.from({ length: lines.length }, (_, at) => {
    const row = lines.get(at)!;
    const texts = Array.from({ length: row.length }, (__, col) =>
      row.translateToString(false, col, col + 1),
    );
    return { words: [...row._data], texts, isWrapped: row.isWrapped };
  });
  return { rows, x, y, ybase };
};

const sequence = ({ pick, below }: Random): string => {
  const count = pick(['', '0', '1', '2', '3', '5', '40']);
  return pick([
    () => pick(['a', 'bcd', 'e\u0301', '\u4e2d', '\u{1f468}\u200d\u{1f469}', '\r', '\n', '\t']),
    () => 'text that is longer than a row ',
    () => `\x1b[${1 + below(ROWS)};${1 + below(COLS)}H`,
    () => `\x1b[${count}${pick([...'@PXLMSTbKIZ'])}`,
    // Not 1: see mendEraseAbove.
    () => `\x1b[${pick(['', '2'])}J`,
    () => `\x1b[?${pick(['', '2'])}${pick(['J', 'K'])}`,
    () => `\x1b[${count}${pick([' @', ' A', "'}", "'~"])}`,
    () => `\x1b[${pick(['0', '1', '2'])}"q`,
    () => `\x1b[${pick(['0', '7', '44', '48;2;1;2;3', '4:3', '58;5;9'])}m`,
    () => `\x1b[${pick(['4h', '4l', '?7l', '?7h', '?6h', '?6l'])}`,
    () => `\x1b[${1 + below(3)};${3 + below(4)}r`,
    () =>
      pick(['\x1b#8', '\x1bM', '\x1bD', '\x1bc', '\x1b[?1049h', '\x1b[?1049l', '\x1b7', '\x1b8']),
  ])();
};

test('rows that are worked on at once have the cells that xterm would give them', () => {
  const original = openOriginal();
  const ours = openOurs();
  const fillOf = ({ buffers }: XtermCore) => buffers.normal.lines.get(0)!.fill;
  expect(fillOf(original)).not.toBe(fillOf(ours));
  forSeeds(300, (random) => {
    const output = `\x1bc${random.list(40, () => sequence(random)).join('')}`;
    for (const core of [original, ours]) core._inputHandler.parse(Buffer.from(output));
    expect(cellsOf(ours), JSON.stringify(output)).toEqual(cellsOf(original));
  });
});
