/**
 * How text is printed at a moment: in which style and characters, on which screen, and what a restored
 * cursor brings back of that. With it, a screen of its own shows a part of the output as it was shown.
 */
import type { PrintingSnapshot, SavedStyleSnapshot } from '../screen-snapshot.ts';
import type { Xterm, XtermBuffer } from './xterm.ts';
import {
  restoreAttributes,
  restoreCharsets,
  snapshotAttributes,
  snapshotCharsets,
} from './xterm-snapshot.ts';

export type PrintingState = PrintingSnapshot;

export const readPrinting = ({ core }: Xterm): PrintingState => {
  const { buffers, coreService, _inputHandler } = core;
  return {
    isAlternate: buffers.active === buffers.alt,
    attributes: snapshotAttributes(_inputHandler._curAttrData),
    charsets: snapshotCharsets(core),
    saved: savedStyle(buffers.normal),
    savedAlternate: savedStyle(buffers.alt),
    wraps: coreService.decPrivateModes.wraparound === true,
  };
};

/** Into an emulator that has parsed nothing yet. */
export const setPrinting = ({ core }: Xterm, state: PrintingState): void => {
  const { buffers, coreService, _inputHandler } = core;
  if (state.isAlternate) buffers.activateAltBuffer();
  restoreAttributes(_inputHandler._curAttrData, state.attributes);
  restoreCharsets(core, state.charsets);
  restoreSavedStyle(buffers.normal, state.saved);
  restoreSavedStyle(buffers.alt, state.savedAlternate);
  coreService.decPrivateModes.wraparound = state.wraps;
};

/** Whether each printed character is shown, and as itself. */
export const showsAsPrinted = ({ wraps, charsets }: PrintingState): boolean =>
  wraps &&
  charsets.level === 0 &&
  charsets.current === undefined &&
  charsets.all.every((charset) => charset === null);

const savedStyle = ({ savedCurAttrData, savedCharset }: XtermBuffer): SavedStyleSnapshot => ({
  attributes: snapshotAttributes(savedCurAttrData),
  ...(savedCharset && { charset: { ...savedCharset } }),
});

const restoreSavedStyle = (
  grid: XtermBuffer,
  { attributes, charset }: SavedStyleSnapshot,
): void => {
  restoreAttributes(grid.savedCurAttrData, attributes);
  grid.savedCharset = charset;
};
