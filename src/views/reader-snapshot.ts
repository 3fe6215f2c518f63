/** What a reader has seen, as data. Each schema is also the type of what its class writes and takes. */
import { z } from 'zod';
import { flag, numberField as number, text } from '../screen/snapshot-fields.ts';

export const textReaderSnapshot = z.strictObject({
  position: number,
  from: number,
  to: number,
  texts: z.array(
    z.strictObject({ id: number, whole: text, shown: text, hidden: number.exactOptional() }),
  ),
  unfinished: number.exactOptional(),
});

export const seenScreenSnapshot = z.strictObject({
  lines: z.array(text),
  hidden: z.array(number),
  cursor: z.strictObject({ col: number, row: number, visible: flag }),
  cols: number,
  rows: number,
  title: text,
  alternate: flag,
  marked: z.array(z.strictObject({ row: number, col: number, text })),
  position: number,
});

export type TextReaderSnapshot = z.infer<typeof textReaderSnapshot>;
export type SeenScreenSnapshot = z.infer<typeof seenScreenSnapshot>;
