/** What a program may have switched on a terminal, switched off again. */

/** All of them, whether they are on or not: off is how every shell expects them. */
const OFF = [
  // Margins, origin mode, insert mode, line feed mode: nothing on the screen may be elsewhere.
  '\x1b[r',
  '\x1b[?6l',
  '\x1b[4l',
  '\x1b[20l',
  '\x1b[?7h',
  // Mouse in all its encodings, focus, bracketed paste, synchronized output.
  '\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l',
  '\x1b[?1004l',
  '\x1b[?2004l',
  '\x1b[?2026l',
  // Cursor keys, keypad, modifyOtherKeys.
  '\x1b[?1l',
  '\x1b>',
  '\x1b[>4;0m',
  // ASCII in both charsets, no colours, no hyperlink, the cursor to be seen in its own shape.
  '\x1b(B\x1b)B\x0f',
  '\x1b[0m',
  '\x1b]8;;\x1b\\',
  '\x1b[0 q',
  '\x1b[?5l',
  '\x1b[?25h',
].join('');

const KITTY_KEYS_OFF = '\x1b[=0u\x1b[<9u';

export const resetModes = ({ usedKittyKeys }: { usedKittyKeys: boolean }): string =>
  `${usedKittyKeys ? KITTY_KEYS_OFF : ''}${OFF}`;

export const ALTERNATE_ON = '\x1b[?1049h';
export const ALTERNATE_OFF = '\x1b[?1049l';
export const CLEAR = '\x1b[H\x1b[2J';
export const PUSH_TITLE = '\x1b[22;0t';
export const POP_TITLE = '\x1b[23;0t';

/** Control characters could end the sequence, and begin another. */
export const setTitle = (title: string): string =>
  `\x1b]2;${title.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '')}\x1b\\`;
