/** Evidence from the terminal: the modes its program has switched, and the text before the cursor. */
import type { Screen } from '../../screen/screen.ts';
import type { TypedLine } from '../typed-line.ts';

export interface TerminalEvidence {
  /** Line editors switch bracketed paste on when they start to read a line, and off when they have it. */
  bracketedPaste: boolean;
  /** Bracketed paste was switched on after the last input. */
  pasteOnSinceInput: boolean;
  /** It has printed something since then: a prompt, if it shows one. */
  readonly printedSincePasteOn: boolean;
  /** Some program in this terminal has edited its own lines before. */
  hasEditedLines: boolean;
  alternateScreen: boolean;
  cursorVisible: boolean;
  /** The program is in the middle of drawing. */
  isDrawing: boolean;
  /** The text before the cursor on its line. */
  readonly beforeCursor: string;
  /** That text is the echo of a typed line, and its Enter has not been echoed yet. */
  readonly isEcho: boolean;
  /** That text is the prompt at which the last line was typed, shown again since. */
  readonly isPromptAgain: boolean;
  /** And at that time it was likely, not certain, that the program waited for a line. */
  readonly wasLikelyLine: boolean;
  /** What was typed without Enter after it. */
  readonly unfinished?: string;
}

/**
 * `inputPosition`: the length of the output at the last input.
 *
 * The text before the cursor is read only if a rule needs it: reading it parses all output so far, and
 * a program that is still printing is known to be working without it.
 */
export const terminalEvidence = (
  screen: Screen,
  inputPosition: number,
  typed?: TypedLine,
): TerminalEvidence => {
  const { bracketedPaste, alternateScreen, cursorVisible, synchronizedOutput } = screen.modes;
  const paste = screen.switches.bracketedPaste;
  let beforeCursor: string | undefined;
  const { own: ownMark } = screen.marks;
  // That our shell edits lines says nothing about a program it has started since.
  const commandStart = ownMark?.mark === 'output' ? ownMark.position : -1;
  return {
    bracketedPaste,
    pasteOnSinceInput: bracketedPaste && (paste?.position ?? -1) > inputPosition,
    get printedSincePasteOn() {
      return paste !== undefined && hasPrintedSince(screen, paste.position);
    },
    hasEditedLines: paste !== undefined && paste.position > commandStart,
    alternateScreen,
    cursorVisible,
    isDrawing: synchronizedOutput,
    wasLikelyLine: typed?.wasLikelyLine ?? false,
    ...(typed !== undefined && { unfinished: typed.unfinished }),
    get beforeCursor() {
      beforeCursor ??= textSincePrompt(screen);
      return beforeCursor;
    },
    get isEcho() {
      return typed?.isEcho(this.beforeCursor) ?? false;
    },
    get isPromptAgain() {
      return screen.position > inputPosition && (typed?.isPromptAgain(this.beforeCursor) ?? false);
    },
  };
};

/** More than a prompt has. */
const SEARCHED_BYTES = 4096;

const INVISIBLE =
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\0- \x7f]/g;

const hasPrintedSince = ({ history, position }: Screen, from: number): boolean => {
  if (position - from > SEARCHED_BYTES) return true;
  const pieces = [...history.bytes.slices(from, position)].map(({ bytes }) => bytes);
  return Buffer.concat(pieces).toString('latin1').replaceAll(INVISIBLE, '') !== '';
};

/** Output without a line end stands before the prompt on the same line, and is not part of it. */
const textSincePrompt = (screen: Screen): string => {
  const { textBeforeCursor, cursorLine } = screen;
  const { ownPromptAt } = screen.marks;
  const prompt = ownPromptAt === undefined ? undefined : screen.locate(ownPromptAt);
  const isOnLine = prompt !== undefined && prompt.index > 0 && cursorLine?.id === prompt.id;
  return isOnLine ? textBeforeCursor.slice(prompt.index) : textBeforeCursor;
};
