/**
 * The table of keys with xterm's codes, which TERM=xterm-256color promises to programs.
 *
 * See https://invisible-island.net/xterm/ctlseqs/ctlseqs.html ("PC-Style Function Keys"). A test
 * compares the table with the system's terminfo.
 */

export type KeySequence =
  /** A character, and its codes with Ctrl and with Shift, if they exist. */
  | { character: string; control?: string; shift?: string }
  /** CSI final, or SS3 final in application cursor mode; CSI 1;modifiers final. */
  | { cursor: string }
  /** SS3 final; CSI 1;modifiers final. */
  | { function: string }
  /** CSI number ~; CSI number;modifiers ~. */
  | { number: number };

export const keySequences = {
  Enter: { character: '\r' },
  Escape: { character: '\x1b' },
  Tab: { character: '\t', shift: '\x1b[Z' },
  Space: { character: ' ', control: '\0' },
  Backspace: { character: '\x7f', control: '\b' },

  Up: { cursor: 'A' },
  Down: { cursor: 'B' },
  Right: { cursor: 'C' },
  Left: { cursor: 'D' },
  End: { cursor: 'F' },
  Home: { cursor: 'H' },

  Insert: { number: 2 },
  Delete: { number: 3 },
  PageUp: { number: 5 },
  PageDown: { number: 6 },

  F1: { function: 'P' },
  F2: { function: 'Q' },
  F3: { function: 'R' },
  F4: { function: 'S' },
  F5: { number: 15 },
  F6: { number: 17 },
  F7: { number: 18 },
  F8: { number: 19 },
  F9: { number: 20 },
  F10: { number: 21 },
  F11: { number: 23 },
  F12: { number: 24 },
} as const satisfies Record<string, KeySequence>;

export type KeyName = keyof typeof keySequences;

/** Names in other programs (tmux, vim, browsers, X11), in lower case, without "-" and "_". */
export const keyNameAliases: Readonly<Record<string, KeyName>> = {
  return: 'Enter',
  ret: 'Enter',
  cr: 'Enter',
  esc: 'Escape',
  spc: 'Space',
  spacebar: 'Space',
  bs: 'Backspace',
  bspace: 'Backspace',
  bksp: 'Backspace',
  arrowup: 'Up',
  uparrow: 'Up',
  arrowdown: 'Down',
  downarrow: 'Down',
  arrowright: 'Right',
  rightarrow: 'Right',
  arrowleft: 'Left',
  leftarrow: 'Left',
  ins: 'Insert',
  ic: 'Insert',
  del: 'Delete',
  dc: 'Delete',
  pgup: 'PageUp',
  ppage: 'PageUp',
  prior: 'PageUp',
  pgdn: 'PageDown',
  pgdown: 'PageDown',
  npage: 'PageDown',
  next: 'PageDown',
};

/** Names for a key with a modifier, or for a character. */
export const keyCombinationAliases: ReadonlyMap<string, string> = new Map([
  ['btab', 'S-Tab'],
  ['backtab', 'S-Tab'],
  ['lf', 'C-j'],
  ['nl', 'C-j'],
  ['linefeed', 'C-j'],
  ['nul', 'C-@'],
  ['eof', 'C-d'],
  ['lt', '<'],
]);
