/** Whether a program may take fast typing for a paste, in which an Enter is only another line. */
import type { Screen } from '../../screen/screen.ts';

/** More than a message box draws for one key. */
const LOOKED_AT_BYTES = 8 * 1024;

/** To erase the screen below, and to go to a row by its number: a line editor knows neither. */
const DRAWN = /\x1b\[\d*J|\x1b\[[\d;]*[Hf]/;

/** `since`: where the output stood when something was typed before this. */
export const mayDetectPaste = (screen: Screen, since: number): boolean => {
  const { alternateScreen, cursorVisible, bracketedPaste } = screen.modes;
  if (alternateScreen || !cursorVisible) return true;
  // A message box in place asks for pastes as line editors do, but draws itself anew.
  return bracketedPaste && screen.ownPromptAt === undefined && isDrawn(screen, since);
};

const isDrawn = ({ history, position }: Screen, since: number): boolean => {
  const from = Math.max(0, since, position - LOOKED_AT_BYTES);
  const pieces = [...history.bytes.slices(from, position)].map(({ bytes }) => bytes);
  return DRAWN.test(Buffer.concat(pieces).toString('latin1'));
};
