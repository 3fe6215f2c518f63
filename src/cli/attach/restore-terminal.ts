/** The sequences that put a person's terminal back into its usual state. */

/** Switches off all modes, whether they are on or not: every shell expects them to be off. */
const MODES_OFF = [
  // Margins, origin, insert and line feed mode off, wrapping on: they decide where text appears.
  '\x1b[r',
  '\x1b[?6l',
  '\x1b[4l',
  '\x1b[20l',
  '\x1b[?7h',
  // The mouse in all its encodings, focus events, bracketed paste, synchronized output.
  '\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l',
  '\x1b[?1004l',
  '\x1b[?2004l',
  '\x1b[?2026l',
  // Cursor keys, keypad, modifyOtherKeys.
  '\x1b[?1l',
  '\x1b>',
  '\x1b[>4;0m',
  // ASCII in both charsets, no colours, no hyperlink, a visible cursor in its usual shape.
  '\x1b(B\x1b)B\x0f',
  '\x1b[0m',
  '\x1b]8;;\x1b\\',
  '\x1b[0 q',
  '\x1b[?5l',
  '\x1b[?25h',
].join('');

const KITTY_KEYS_OFF = '\x1b[=0u\x1b[<9u';

export const resetModesSequence = ({ usedKittyKeys }: { usedKittyKeys: boolean }): string =>
  `${usedKittyKeys ? KITTY_KEYS_OFF : ''}${MODES_OFF}`;

export const ALTERNATE_SCREEN_ON = '\x1b[?1049h';
export const ALTERNATE_SCREEN_OFF = '\x1b[?1049l';
/** Text that is wider here than elsewhere is cut at the end of its row. Switched off with the other modes. */
export const NO_WRAPPING = '\x1b[?7l';
export const CLEAR_SCREEN = '\x1b[H\x1b[2J';
export const PUSH_TITLE = '\x1b[22;0t';
export const POP_TITLE = '\x1b[23;0t';

/** Without control characters, which could end the sequence and begin another. */
export const titleSequence = (title: string): string =>
  `\x1b]2;${title.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '')}\x1b\\`;
