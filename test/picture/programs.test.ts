/**
 * The screens of programs as pictures, compared pixel by pixel with those in expected/, which were looked
 * at. `PICTURES=update npx vitest run test/picture` writes them anew: look at them again.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAtlas } from '../../src/picture/atlas.ts';
import { drawPng } from '../../src/picture/draw-png.ts';
import { coloursOf } from '../../src/picture/theme.ts';
import type { CellRun } from '../../src/screen/xterm/styled-runs.ts';
import type { ScreenPicture } from '../../src/views/picture.ts';
import { readPng } from './read-png.ts';
import { readCell } from './read-text.ts';
import { screensOf, streams } from './screens.ts';

const folder = join(import.meta.dirname, 'expected');

const programs = 'bash cjk colours dialog fzf git-log htop mc nano tmux traceback vim'.split(' ');

const streamOf = (name: string) => streams.find((stream) => stream.name === name)!;

describe('a picture of', () => {
  test.each(programs)('%s is the one that is kept, to the pixel', async (name) => {
    // What a program draws last may be that it is gone.
    const fullest = screensOf(streamOf(name)).reduce((one, other) =>
      other.lines.join('').length > one.lines.join('').length ? other : one,
    );
    const png = await drawPng(fullest.picture);
    const file = join(folder, `${name}.png`);
    if (process.env.PICTURES === 'update') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, png);
    }
    expect(existsSync(file)).toBe(true);
    const [drawn, kept] = [readPng(png), readPng(readFileSync(file))];
    expect([drawn.width, drawn.height]).toEqual([kept.width, kept.height]);
    const different = drawn.pixels.findIndex((colour, at) => colour !== kept.pixels[at]);
    expect(different).toBe(-1);
  });
});

/** Lines through the letters, and the cursor on one of them, are not part of them. */
const lettersOf = ({ cols, rows, runs }: ScreenPicture): ScreenPicture => ({
  cols,
  rows,
  runs: runs.map((row) =>
    row.map(({ style: { underline: _, strikethrough: __, ...style }, ...run }) => ({
      ...run,
      style,
    })),
  ),
});

const isInFont = (character: string): boolean =>
  openAtlas().glyph(character.codePointAt(0)!, false) !== undefined;

/** What stands in each cell of a run. Of wide characters and of those with marks, only boxes are read. */
const cellsOf = ({ col, width, text, isSingle, style }: CellRun) => {
  const { ink, paper } = coloursOf(style);
  if (ink === paper) return [];
  if (!isSingle) return [...text].map((character, at) => ({ col: col + at, character }));
  const character = text.normalize('NFC');
  const isPlain = width === 1 && [...character].length === 1;
  return isPlain || !isInFont(character) ? [{ col, character }] : [];
};

describe('the text read off a picture is that of the screen', () => {
  test.each(streams)('$name', async (stream) => {
    for (const { picture, lines } of screensOf(stream)) {
      const image = readPng(await drawPng(lettersOf(picture)));
      for (const [row, runs] of picture.runs.entries()) {
        expect(
          runs
            .map(({ text }) => text)
            .join('')
            .trimEnd(),
        ).toBe(lines[row] ?? '');
        for (const { col, character } of runs.flatMap(cellsOf)) {
          const seen = readCell(image, row, col);
          const isRead = isInFont(character) ? seen.has(character) : seen.size === 0;
          expect({ row, col, character, isRead }).toEqual({ row, col, character, isRead: true });
        }
      }
    }
  });
});
