/** What the terminal shows of its program: modes it switched, and what stands before the cursor. */
import type { Screen } from '../../screen/screen.ts';
import type { TypedLine } from '../typed-line.ts';

export interface TerminalEvidence {
  /** Line editors switch bracketed paste on when they begin to read a line, and off when they have it. */
  bracketedPaste: boolean;
  /** It was switched on after the last input. */
  pasteOnSinceInput: boolean;
  /** Some program here has edited its own lines before. */
  hasEditedLines: boolean;
  alternateScreen: boolean;
  cursorVisible: boolean;
  /** The program is in the middle of drawing. */
  isDrawing: boolean;
  /** What stands before the cursor on its line. */
  readonly beforeCursor: string;
  /** That is the echo of a line that was typed, and of its Enter nothing is seen yet. */
  readonly isEcho: boolean;
}

/**
 * `inputPosition`: how much output there was when something was typed last.
 *
 * What stands before the cursor is looked up when a rule asks for it: that means to parse all output
 * so far, and whoever is still printing is known to work without it.
 */
export const terminalEvidence = (
  screen: Screen,
  inputPosition: number,
  typed?: TypedLine,
): TerminalEvidence => {
  const { bracketedPaste, alternateScreen, cursorVisible, synchronizedOutput } = screen.modes;
  const paste = screen.switches.bracketedPaste;
  let beforeCursor: string | undefined;
  const { ownMark } = screen;
  // What our shell has edited says nothing of a program that it has started since.
  const begun = ownMark?.mark === 'output' ? ownMark.position : -1;
  return {
    bracketedPaste,
    pasteOnSinceInput: bracketedPaste && (paste?.position ?? -1) > inputPosition,
    hasEditedLines: paste !== undefined && paste.position > begun,
    alternateScreen,
    cursorVisible,
    isDrawing: synchronizedOutput,
    get beforeCursor() {
      beforeCursor ??= sincePrompt(screen);
      return beforeCursor;
    },
    get isEcho() {
      return typed?.isEcho(this.beforeCursor) ?? false;
    },
  };
};

/** Output that does not end its line stands before the prompt, and is no part of it. */
const sincePrompt = (screen: Screen): string => {
  const { textBeforeCursor, ownPromptAt, cursorLine } = screen;
  const prompt = ownPromptAt === undefined ? undefined : screen.placeOf(ownPromptAt);
  const isOnLine = prompt !== undefined && prompt.index > 0 && cursorLine?.id === prompt.id;
  return isOnLine ? textBeforeCursor.slice(prompt.index) : textBeforeCursor;
};
