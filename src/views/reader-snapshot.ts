/** What a reader has seen, as data. Each schema is also the type of what its class writes and takes. */
import { z } from 'zod';

const number = z.number();
const text = z.string();

export const textReaderSnapshot = z.strictObject({
  position: number,
  from: number,
  to: number,
  texts: z.array(z.strictObject({ id: number, whole: text, shown: text })),
  unfinished: number.exactOptional(),
});

export const seenScreenSnapshot = z.strictObject({
  lines: z.array(text),
  cursor: z.strictObject({ col: number, row: number, visible: z.boolean() }),
  cols: number,
  rows: number,
  title: text,
  alternate: z.boolean(),
  marked: z.array(z.strictObject({ row: number, col: number, text })),
  position: number,
});

export type TextReaderSnapshot = z.infer<typeof textReaderSnapshot>;
export type SeenScreenSnapshot = z.infer<typeof seenScreenSnapshot>;
