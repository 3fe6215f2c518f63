/**
 * What goes into src/keys and what comes out of it, both plain data.
 *
 * Nothing here writes or waits: a session performs the writes in order, and pauses where
 * `pauseBetween` says so.
 */

/** What the program asked of its terminal, as far as it changes the bytes of a key. */
export interface InputModes {
  cols: number;
  rows: number;
  /** DECCKM: cursor keys are sent as SS3 instead of CSI. */
  applicationCursor: boolean;
  bracketedPaste: boolean;
  /** Which mouse events are reported: DEC modes 9, 1000, 1002 and 1003. */
  mouse: 'none' | 'x10' | 'normal' | 'button' | 'any';
  /** How they are written: one byte per number, or DEC mode 1006. */
  mouseEncoding: 'default' | 'sgr';
}

/** One write to the terminal. `text` is characters typed one after another, `key` any other key. */
export interface InputWrite {
  kind: 'text' | 'paste' | 'enter' | 'escape' | 'key';
  bytes: Uint8Array;
}

/** Why a pause has to come between two writes; how long it is, is the session's to know. */
export type InputPause =
  /** An Enter right behind text is part of a paste to full-screen programs, and is swallowed. */
  | 'enter-after-text'
  /** Escape and what follows it at once are one key, Alt, to every program. */
  | 'after-escape';

export function pauseBetween(previous: InputWrite, next: InputWrite): InputPause | undefined {
  if (previous.kind === 'escape') return 'after-escape';
  const typed = previous.kind === 'text' || previous.kind === 'paste';
  return typed && next.kind === 'enter' ? 'enter-after-text' : undefined;
}
