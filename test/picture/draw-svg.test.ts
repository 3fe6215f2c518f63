import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { drawMovingSvg, drawSvg, type MovingPicture } from '../../src/picture/draw-svg.ts';
import { coloursOf, hexOf } from '../../src/picture/theme.ts';
import { testWith } from '../helpers/needs.ts';
import { pictureOf, screensOf, streams } from './screens.ts';

/** What a parser of XML finds: all text, and the names of all elements. */
const parseXml = (svg: string): { text: string; elements: string[] } =>
  JSON.parse(
    execFileSync('python3', ['-c', PARSE], { input: svg, encoding: 'utf8', env: process.env }),
  );

const PARSE = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
elements = [each.tag.split('}')[1] for each in root.iter()]
spans = [each for each in root.iter() if each.tag.endswith('}tspan')]
print(json.dumps({'text': ''.join(each.text for each in spans), 'elements': elements}))
`;

const blanks = /[\s\u00a0]/g;

describe('a picture of a screen as SVG', () => {
  testWith('python3')('has the text of the screen', () => {
    for (const name of ['mc', 'vim', 'cjk', 'emoji', 'colours']) {
      const { picture, lines } = screensOf(streams.find((each) => each.name === name)!).at(-1)!;
      const { text } = parseXml(drawSvg(picture));
      expect(text.replaceAll(blanks, '')).toBe(lines.join('').replaceAll(blanks, ''));
    }
  });

  testWith('python3')('has nothing else in it, whatever a program prints', () => {
    const printed = '<script>&amp;"\'\u0001\ufffe]]>\ud800x';
    const { text, elements } = parseXml(drawSvg(pictureOf(`\x1b[41m${printed}`, 40)));
    expect(text).toContain('<script>&amp;"\'');
    expect(new Set(elements)).toEqual(new Set(['svg', 'style', 'rect', 'g', 'text', 'tspan']));
  });

  test('has the colours, the looks and the cursor', () => {
    const svg = drawSvg(pictureOf('\x1b[1;3;4;9;38;5;208;44mhello'));
    expect(svg).toContain('class="b i u s"');
    expect(svg).toContain(hexOf(coloursOf({ fg: 208 }).ink));
    expect(svg).toContain(`width="42" height="18" fill="${hexOf(coloursOf({ bg: 4 }).paper)}"`);
    expect(svg).toContain('<rect x="42" y="0" width="8.4" height="18"');
    expect(drawSvg(pictureOf('\x1b[?25l'))).not.toContain('fill-opacity');
  });
});

/** Which texts are visible at a moment, as a browser plays it; without a moment, where nothing moves. */
const textsAt = (svg: string, percent?: number): string[] => {
  const definitions = new Map(
    [...svg.matchAll(/<g id="(\w+)">(.*?)<\/g>/g)].map(([, id, drawn]) => [
      id,
      drawn!.replaceAll(/<[^>]*>/g, ''),
    ]),
  );
  return [
    ...svg.matchAll(/<use href="#(\w+)" y="\d+" class="r( last)?" style="animation-name:(\w+)"/g),
  ]
    .filter(([, , last, name]) => {
      if (percent === undefined) return last !== undefined;
      const [, frames] = new RegExp(`@keyframes ${name}\\{(.*)\\}`).exec(svg)!;
      const passed = [...frames!.matchAll(/([\d.]+)%\{visibility:(\w+)\}/g)].filter(
        ([, at]) => Number(at) <= percent,
      );
      return passed.at(-1)?.[2] === 'visible';
    })
    .map(([, id]) => definitions.get(id)!);
};

const moving = (...frames: [atMs: number, output: string][]): MovingPicture => ({
  cols: 20,
  rows: 3,
  frames: frames.map(([atMs, output]) => ({ atMs, runs: pictureOf(output).runs })),
  durationMs: 1000,
});

describe('a picture that moves', () => {
  const svg = drawMovingSvg(
    moving([0, 'one'], [250, 'one\r\ntwo'], [500, 'three'], [750, 'one\r\n\r\nfour']),
  );

  test('shows at each moment what was on the screen then', () => {
    expect([0, 24, 25, 49, 50, 74, 75, 99].map((percent) => textsAt(svg, percent))).toEqual([
      ['one'],
      ['one'],
      ['one', 'two'],
      ['one', 'two'],
      ['three'],
      ['three'],
      ['one', 'four'],
      ['one', 'four'],
    ]);
  });

  test('shows the last screen where nothing moves', () => {
    expect(textsAt(svg)).toEqual(['one', 'four']);
    expect(svg).toContain('prefers-reduced-motion');
  });

  test('draws a row once that stays or comes back', () => {
    expect(svg.match(/>one</g)).toHaveLength(1);
  });

  testWith('python3')('is XML', () => {
    expect(parseXml(svg).elements).toContain('use');
  });
});
