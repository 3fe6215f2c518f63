/**
 * The input and the output of src/keys, both plain data.
 *
 * Nothing here writes or waits: the session performs the writes in order, and pauses between two of
 * them when `pauseBetweenWrites` returns a reason.
 */

/** The terminal modes that change the bytes of a key. */
export interface KeyInputModes {
  cols: number;
  rows: number;
  /** DECCKM: cursor keys are sent as SS3 instead of CSI. */
  applicationCursor: boolean;
  bracketedPaste: boolean;
  /** Which mouse events are reported: DEC modes 9, 1000, 1002 and 1003. */
  mouse: 'none' | 'x10' | 'normal' | 'button' | 'any';
  /** How mouse events are encoded: one byte per number, or DEC mode 1006. */
  mouseEncoding: 'default' | 'sgr';
}

/** One write to the terminal. `text` is characters typed one after another, `key` any other key. */
export interface InputWrite {
  kind: 'text' | 'paste' | 'enter' | 'escape' | 'key';
  bytes: Uint8Array;
}

/** Why a pause is needed between two writes. The session decides how long it is. */
export type InputPauseReason =
  /** Full-screen programs take an Enter right after text for part of a paste, and swallow it. */
  | 'enter-after-text'
  /** Every program takes Escape and a key right after it for Alt with that key. */
  | 'after-escape';

export function pauseBetweenWrites(
  previous: InputWrite,
  next: InputWrite,
): InputPauseReason | undefined {
  if (previous.kind === 'escape') return 'after-escape';
  const isText = previous.kind === 'text' || previous.kind === 'paste';
  return isText && next.kind === 'enter' ? 'enter-after-text' : undefined;
}
