import { expect, test } from 'vitest';
import { Screen } from '../../src/screen/screen.ts';
import type { ScreenEvent } from '../../src/screen/sequences/screen-events.ts';

const KEY = '0123456789abcdef';
const mark = (rest = '0;/tmp') => `\x1b]7133;${KEY};end;${rest}\x07`;

const newScreen = (options: { finalMarkKey?: string } = { finalMarkKey: KEY }) => {
  const events: ScreenEvent[] = [];
  const screen = new Screen({
    cols: 20,
    rows: 4,
    ...options,
    onEvent: (event) => events.push(event),
  });
  const write = (text: string) => screen.write(Buffer.from(text, 'latin1'));
  return { screen, events, write };
};

test('the mark is known at once, and its event comes when somebody looks', () => {
  const { screen, events, write } = newScreen();
  write(`one\r\ntwo\r\n${mark('3;/a b')}`);
  expect(screen.finalMark).toMatchObject({ key: KEY, typed: 'end', exitCode: 3, cwd: '/a b' });
  expect(events).toEqual([]);
  expect(screen.cursor).toEqual({ col: 0, row: 2 });
  const position = screen.position;
  expect(events).toEqual([expect.objectContaining({ type: 'typed-mark', exitCode: 3, position })]);
  expect(screen.finalMark).toBeUndefined();
});

test('output after it is parsed after it', () => {
  const { screen, events, write } = newScreen();
  write(mark());
  const end = screen.position;
  write('late\r\n');
  expect(events).toEqual([expect.objectContaining({ type: 'typed-mark', position: end })]);
});

test.each([
  ['another key', mark().replace('0123', '3210')],
  ['a colour before it', `\x1b[31mred${mark()}`],
  ['a question before it', `\x1b[6n${mark()}`],
  ['a control of eight bits before it', `\xc2\x9b5A${mark()}`],
  ['a bell before it', `\x07${mark()}`],
  ['text after it', `${mark()}more`],
  ['another end of it', mark().replace('\x07', '\x1b\\')],
  ['a folder with a control in it', mark('0;/a\nb')],
  ['a folder that is not UTF-8', mark('0;/\xff')],
  ['another mark before it', `${mark()}${mark()}`],
])('with %s it is parsed at once', (_, output) => {
  const { screen, write } = newScreen();
  write(output);
  expect(screen.finalMark).toBeUndefined();
});

test('a mark that comes in pieces is parsed at once', () => {
  for (let cut = 1; cut < mark().length; cut++) {
    const { screen, events, write } = newScreen();
    write(mark().slice(0, cut));
    write(mark().slice(cut));
    expect([screen.finalMark, events.length]).toEqual([undefined, 1]);
  }
});

const PIECES = [
  'text',
  '\r\n',
  'é'.repeat(30),
  '\x1b[32m',
  '\x1b[2A',
  '\x1b]0;title\x07',
  '\t',
  '\b',
];

/** A small generator, so that a failure can be repeated. */
const random = (seed: number) => {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

test('nothing else differs, whatever comes before and after it', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const next = random(seed);
    const chunks = Array.from({ length: 1 + next(8) }, () =>
      Array.from({ length: 1 + next(4) }, () =>
        next(4) === 0 ? mark() : PIECES[next(PIECES.length)]!,
      ).join(''),
    );
    const one = newScreen();
    const other = newScreen({});
    for (const chunk of chunks) {
      for (const { write } of [one, other]) write(chunk);
      if (next(3) === 0) expect(one.screen.dump()).toBe(other.screen.dump());
    }
    expect([...one.screen.lines()]).toEqual([...other.screen.lines()]);
    expect(one.events).toEqual(other.events);
    expect(one.screen.snapshot()).toEqual(other.screen.snapshot());
  }
});
