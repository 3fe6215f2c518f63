/**
 * What a mirrored screen does not show because it is in no cell, but a person's terminal must have: the
 * bell, the clipboard where the program may set it, the cursor's shape, and how keys are reported.
 */

/** Other strings are matched too, so that a BEL at their end is not taken for a bell. */
const SEQUENCES =
  /\x1b\[\d* q|\x1b\[[<>=][\d;]*[mu]|\x1b\[\?66[hl]|\x1b[=>]|\x1b[\]P_][^\x07\x1b]*(?:\x07|\x1b\\)|\x07/g;
const STRING = /^\x1b[\]P_]/;
const CLIPBOARD = /^\x1b\]52;/;

/** `filtered`: what may be written to a person's terminal, by whole sequences. */
export const besideCells = (filtered: Buffer): string =>
  (filtered.toString('latin1').match(SEQUENCES) ?? [])
    .filter((sequence) => !STRING.test(sequence) || CLIPBOARD.test(sequence))
    .join('');
