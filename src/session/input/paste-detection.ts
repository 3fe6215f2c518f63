/** Whether a program may mistake fast typing for a paste, and Enter in it for a new line of text. */
import type { Screen } from '../../screen/screen.ts';

/** How much output is searched: more than a message box draws for one key. */
const SEARCHED_BYTES = 8 * 1024;

/** Erasing the screen below, or moving to a row by its number: line editors do neither. */
const DRAWING = /\x1b\[\d*J|\x1b\[[\d;]*[Hf]/;

/** `inputPosition`: the position of the output at the last input. */
export const mayDetectPaste = (screen: Screen, inputPosition: number): boolean => {
  const { alternateScreen, cursorVisible, bracketedPaste } = screen.modes;
  if (alternateScreen || !cursorVisible) return true;
  // A message box on the main screen switches bracketed paste on like a line editor, but redraws itself.
  return (
    bracketedPaste && screen.marks.ownPromptAt === undefined && hasDrawn(screen, inputPosition)
  );
};

const hasDrawn = ({ history, position }: Screen, inputPosition: number): boolean => {
  const from = Math.max(0, inputPosition, position - SEARCHED_BYTES);
  const pieces = [...history.bytes.slices(from, position)].map(({ bytes }) => bytes);
  return DRAWING.test(Buffer.concat(pieces).toString('latin1'));
};
