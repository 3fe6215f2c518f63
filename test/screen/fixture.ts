import type { ScreenEvent } from '../../src/screen/events.ts';
import { Screen, type ScreenOptions } from '../../src/screen/screen.ts';

/** A screen, what it answered and what it told. */
export function openScreen(options: Partial<ScreenOptions> = {}) {
  const replies: string[] = [];
  const events: ScreenEvent[] = [];
  const screen = new Screen({
    cols: 20,
    rows: 5,
    reply: (answer) => replies.push(answer),
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { screen, replies, events, write: (text: string) => screen.write(Buffer.from(text)) };
}

export const screenText = (screen: Screen): string[] =>
  Array.from({ length: screen.modes.rows }, (_, row) => screen.rowText(row));

export const lineTexts = (screen: Screen, from = 0): string[] =>
  [...screen.lines(from)].map(({ text }) => text);

/** A small generator of repeatable numbers (mulberry32), so that a failure can be run again. */
export function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  return { next, below, pick };
}
