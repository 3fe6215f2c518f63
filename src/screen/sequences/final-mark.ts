/**
 * Recognises the mark with which a shell ends that was started for one command.
 *
 * Every sequence may cause an event, so all output up to it is parsed at once, and listeners see the screen as it
 * is there. Nobody looks at the screen of such a shell any more. With this mark, parsing waits until somebody does.
 */
import { isUtf8 } from 'node:buffer';

/** Nothing that moves the cursor elsewhere, switches a mode, or asks: text and the ends of lines. */
const TEXT = /^[\b\t\n\r\x20-\x7e\x80-\xc1\xc3-\xff]*$/;
/** No control, which would end the mark or be left out of it. */
const REST = /^\d*;[\x20-\x7e\x80-\xc1\xc3-\xff]*$/;

const BEL = 0x07;

/** What the mark says, if a piece of output is text and the mark at its end. */
export const finalMarkIn = (bytes: Uint8Array, key: string): string | undefined => {
  if (bytes.at(-1) !== BEL) return undefined;
  const output = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = `\x1b]7133;${key};end;`;
  const at = output.lastIndexOf(start, undefined, 'latin1');
  if (at === -1) return undefined;
  const rest = output.subarray(at + start.length, -1);
  const isMark = REST.test(rest.toString('latin1')) && isUtf8(rest);
  const isTextBefore = TEXT.test(output.toString('latin1', 0, at));
  return isMark && isTextBefore ? `${key};end;${rest}` : undefined;
};
