/**
 * Where in an escape sequence the emulator's parser is, told from the bytes alone: in GROUND exactly when
 * it is (test/screen/sequences/parser-states.test.ts compares the two). It decodes UTF-8 first, so a
 * character that is not ASCII counts as a whole: some states ignore it, the others are left by it.
 *
 * One difference is left, and harmless. A state is left at the first byte of such a character, but the
 * emulator gets the character only when it is complete.
 */

export const GROUND = 0;
export const ESCAPE = 1;
/** ESC and intermediates, such as the `(` of a charset. */
const ESCAPE_INTERMEDIATE = 2;
/** After `ESC [`, and after parameters that can be those of colours. */
export const CSI = 3;
export const CSI_PARAMETERS = 4;
/** The same with a private prefix, with a control character inside, or begun by a C1 control. */
export const ODD_CSI = 5;
export const ODD_CSI_PARAMETERS = 6;
const CSI_INTERMEDIATE = 7;
const CSI_IGNORED = 8;
const OSC = 9;
/** SOS, PM and APC. */
const STRING = 10;
const DCS = 11;
const DCS_PARAMETERS = 12;
const DCS_INTERMEDIATE = 13;
const DCS_IGNORED = 14;
const DCS_DATA = 15;
const STATES = 16;

/** Added to a state: the next byte may make U+0080 to U+009F, the C1 controls, of this one. */
const AFTER_C2 = STATES;
/** Added to a state: U+FEFF, which the emulator drops before it parses, may have begun. */
const AFTER_EF = 2 * STATES;
const AFTER_EF_BB = 3 * STATES;
export const GROUND_AFTER_C2 = GROUND + AFTER_C2;

const ASCII = 128;
/** The next state for each state and ASCII byte. */
const table = new Uint8Array(STATES * ASCII);

const set = (states: readonly number[], from: number, to: number, next?: number): void => {
  for (const state of states)
    for (let byte = from; byte <= to; byte++) table[state * ASCII + byte] = next ?? state;
};

/** Ignored or executed, without leaving the sequence. */
const insideOf = (...states: number[]): void => {
  set(states, 0x00, 0x1f);
  set(states, 0x7f, 0x7f);
};

// What is not set leads to GROUND.
insideOf(ESCAPE, ESCAPE_INTERMEDIATE, CSI_INTERMEDIATE, CSI_IGNORED, OSC, STRING);
insideOf(DCS, DCS_PARAMETERS, DCS_INTERMEDIATE, DCS_IGNORED, DCS_DATA, ODD_CSI, ODD_CSI_PARAMETERS);
for (const [plain, odd] of [
  [CSI, ODD_CSI],
  [CSI_PARAMETERS, ODD_CSI_PARAMETERS],
] as const) {
  set([plain], 0x00, 0x1f, odd);
  set([plain], 0x7f, 0x7f, odd);
}
set([ESCAPE, ESCAPE_INTERMEDIATE], 0x20, 0x2f, ESCAPE_INTERMEDIATE);
for (const [byte, next] of [
  ['[', CSI],
  [']', OSC],
  ['P', DCS],
  ['X', STRING],
  ['^', STRING],
  ['_', STRING],
] as const)
  table[ESCAPE * ASCII + byte.charCodeAt(0)] = next;
set([CSI, CSI_PARAMETERS], 0x30, 0x3b, CSI_PARAMETERS);
set([ODD_CSI, ODD_CSI_PARAMETERS], 0x30, 0x3b, ODD_CSI_PARAMETERS);
set([CSI, ODD_CSI], 0x3c, 0x3f, ODD_CSI_PARAMETERS);
set([CSI_PARAMETERS, ODD_CSI_PARAMETERS], 0x3c, 0x3f, CSI_IGNORED);
set([CSI, CSI_PARAMETERS, ODD_CSI, ODD_CSI_PARAMETERS], 0x20, 0x2f, CSI_INTERMEDIATE);
set([CSI_INTERMEDIATE], 0x20, 0x2f);
set([CSI_INTERMEDIATE], 0x30, 0x3f, CSI_IGNORED);
set([CSI_IGNORED], 0x20, 0x3f);
set([OSC, STRING, DCS_IGNORED, DCS_DATA], 0x20, 0x7e);
set([OSC], 0x07, 0x07, GROUND);
set([DCS, DCS_PARAMETERS, DCS_INTERMEDIATE], 0x20, 0x2f, DCS_INTERMEDIATE);
set([DCS, DCS_PARAMETERS], 0x30, 0x3b, DCS_PARAMETERS);
set([DCS], 0x3c, 0x3f, DCS_PARAMETERS);
set([DCS_PARAMETERS], 0x3c, 0x3f, DCS_IGNORED);
set([DCS_INTERMEDIATE], 0x30, 0x3f, DCS_IGNORED);
set([DCS, DCS_PARAMETERS, DCS_INTERMEDIATE], 0x40, 0x7e, DCS_DATA);
for (let state = GROUND; state < STATES; state++) {
  set([state], 0x18, 0x18, GROUND);
  set([state], 0x1a, 0x1a, GROUND);
  set([state], 0x1b, 0x1b, ESCAPE);
}

/** Small, so that it is inlined: it is called for each byte of a sequence. */
export const nextState = (state: number, byte: number): number =>
  state < STATES && byte < ASCII ? table[state * ASCII + byte]! : afterOtherByte(state, byte);

function afterOtherByte(state: number, byte: number): number {
  if (state < STATES) {
    if (byte === 0xc2) return state + AFTER_C2;
    // Nothing can be left in GROUND, so it does not matter there.
    if (byte === 0xef && state !== GROUND) return state + AFTER_EF;
    return afterCharacter(state);
  }
  const before = state % STATES;
  const pending = state - before;
  if (pending === AFTER_C2 && byte >= 0x80 && byte <= 0x9f) return afterC1(byte);
  if (pending === AFTER_EF && byte === 0xbb) return before + AFTER_EF_BB;
  if (pending === AFTER_EF_BB && byte === 0xbf) return before;
  // Another character, or one that is broken off and replaced.
  return nextState(afterCharacter(before), byte);
}

/** Also after several: a state that is not left by the first is not left by the next one. */
const afterCharacter = (state: number): number =>
  state === OSC || state === CSI_IGNORED || state >= DCS_IGNORED ? state : GROUND;

function afterC1(byte: number): number {
  if (byte === 0x9b) return ODD_CSI;
  if (byte === 0x9d) return OSC;
  if (byte === 0x90) return DCS;
  return byte === 0x98 || byte >= 0x9e ? STRING : GROUND;
}
