import { Screen, type ScreenOptions } from '../../src/screen/screen.ts';
import type { ScreenEvent } from '../../src/screen/sequences/screen-events.ts';

/** A screen, with its replies and its events. */
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
  Array.from({ length: screen.modes.rows }, (_, row) => screen.grid.rowText(row));

export const lineTexts = (screen: Screen, from = 0): string[] =>
  [...screen.lines(from)].map(({ text }) => text);
