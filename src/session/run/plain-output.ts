/**
 * Output that can be read from its bytes, since a screen would show each of its characters: text, tabs,
 * line ends, and sequences that are known to change neither what is shown nor where. All others, known
 * or not, need a screen.
 */

/** Sequences that select a style. */
const SGR = /^\x1b\[[\d;:]*m$/;

/** Keys, the mouse, the cursor's looks, pastes, drawing at once. Not what wraps, saves or switches. */
const MODE = '(?:1|12|25|100[0-6]|1015|1016|2004|2026|2031)';

const UNDERSTOOD = [
  // OSC. Any control character may end it early.
  '\\x1b\\][^\\x00-\\x1f\\x7f-\\x9f]*(?:\\x07|\\x1b\\\\)',
  '\\x1b\\[[\\d;:]*m',
  `\\x1b\\[\\?${MODE}(?:;${MODE})*[hl]`,
  // The shape of the cursor, ASCII as the character set, the keypad.
  '\\x1b\\[\\d* q',
  '\\x1b\\(B',
  '\\x1b[=>]',
  // A bell, and characters that terminals ignore.
  '[\\x00\\x07\\x7f]',
].join('|');

/** To the end of the line, which is blank unless the cursor was moved there: grep does so after a match. */
const ERASE_LINE_END = '\\x1b\\[0?K';

const eachUnderstood = new RegExp(UNDERSTOOD, 'g');
const eachEraseLineEnd = new RegExp(`(?<!\\r)(?:${ERASE_LINE_END})+`, 'g');
const eachSequence = new RegExp(`(${UNDERSTOOD}|${ERASE_LINE_END})`);

/** Undefined if a screen is needed to find out. */
export const readPlainOutput = (printed: string): string | undefined => {
  const plain = printed
    .replaceAll(eachUnderstood, '')
    // At the start of a line a CR moves nothing.
    .replaceAll(/(^|\n)\r+/g, '$1')
    .replaceAll(eachEraseLineEnd, '')
    .replaceAll(/\r+\n/g, '\n');
  return /[\x00-\x08\x0b-\x1f\x80-\x9f]/.test(plain) ? undefined : plain;
};

/** Plain output with some of its text replaced. `onStyle` is called with each change of style between. */
export const replaceText = (
  printed: string,
  replace: (text: string) => string,
  onStyle: (sgr: string) => void,
): string =>
  printed
    .split(eachSequence)
    .map((part, at) => {
      if (at % 2 === 0) return replace(part);
      if (SGR.test(part)) onStyle(part);
      return part;
    })
    .join('');
