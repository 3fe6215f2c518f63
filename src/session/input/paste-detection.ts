/** Whether a program may mistake fast typing for a paste, and Enter in it for a new line of text. */
import type { Screen } from '../../screen/screen.ts';

/** How much output is searched: more than a message box draws for one key. */
const SEARCHED_BYTES = 8 * 1024;

/** Erasing the screen below, or moving to a row by its number: line editors do neither. */
const DRAWING = /\x1b\[\d*J|\x1b\[[\d;]*[Hf]/;

export interface LastInput {
  /** The position of the output at that time. */
  position: number;
  /** It was a line for the program that reads now. */
  isLineOfReader: boolean;
}

export const mayDetectPaste = (
  screen: Screen,
  { position, isLineOfReader }: LastInput,
): boolean => {
  const { alternateScreen, cursorVisible, bracketedPaste } = screen.modes;
  if (alternateScreen || !cursorVisible) return true;
  if (!bracketedPaste || screen.marks.ownPromptAt !== undefined) return false;
  // A message box on the main screen switches bracketed paste on like a line editor, but redraws itself.
  // Only line editors switch it on again for each line.
  const isLineEditor =
    isLineOfReader && (screen.switches.bracketedPaste?.position ?? -1) > position;
  return !isLineEditor && hasDrawn(screen, position);
};

const hasDrawn = ({ history, position }: Screen, inputPosition: number): boolean => {
  const from = Math.max(0, inputPosition, position - SEARCHED_BYTES);
  const pieces = [...history.bytes.slices(from, position)].map(({ bytes }) => bytes);
  return DRAWING.test(Buffer.concat(pieces).toString('latin1'));
};
