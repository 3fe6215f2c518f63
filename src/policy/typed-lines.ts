/**
 * Typed bytes as the lines that a program will get: characters that were taken back are not in them.
 *
 * A line editor may do anything with a key: complete, recall, move. Where such a key was pressed, the line is
 * not known until it is begun anew.
 */

/** What stands on a line that is not finished. */
export interface LineInProgress {
  text: string;
  /** A key was pressed whose effect on the line cannot be known. */
  isUnknown: boolean;
}

export interface TypedLines {
  /** Those that were finished, with Enter or the end of input. */
  lines: readonly LineInProgress[];
  rest: LineInProgress;
}

export const emptyLine: LineInProgress = { text: '', isUnknown: false };

/** `isCanonical`: the kernel edits the line, and knows few keys. */
export const readTypedLines = (
  before: LineInProgress,
  typed: string,
  { isCanonical }: { isCanonical: boolean },
): TypedLines => {
  const lines: LineInProgress[] = [];
  let { text, isUnknown } = before;
  const finish = () => {
    lines.push({ text, isUnknown });
    text = '';
    isUnknown = false;
  };
  for (const [part] of typed.matchAll(PARTS)) {
    // A paste is text as it is; its line feeds end lines in the shell.
    if (part === '\x1b[200~' || part === '\x1b[201~') continue;
    if (part === '\r' || part === '\n') finish();
    else if (part === '\x7f' || part === '\b') text = [...text].slice(0, -1).join('');
    else if (part === '\x15') text = '';
    else if (part === '\x17') text = text.replace(/\S*\s*$/, '');
    // The line is given up, and the program has a new one.
    else if (/^[\x03\x1a\x1c]$/.test(part)) [text, isUnknown] = ['', false];
    // The program gets what there is, without Enter, or nothing if it edits by itself: the text stays.
    else if (part === '\x04') {
      if (text !== '' || isUnknown) lines.push({ text, isUnknown });
    } else if (!isKey(part)) text += part;
    else if (isCanonical && part !== '\x16') text += part;
    else {
      isUnknown = true;
      if (!EDITING.test(part)) finish();
    }
  }
  return { lines, rest: { text, isUnknown } };
};

/**
 * Keys that move, complete, recall or change something, and finish no line in any line editor: the cursor
 * keys and their like, Tab, C-a, C-b, C-e, C-f, C-k, C-l, C-n, C-p, C-r, C-s, C-t, C-y, M-b, M-d, M-f.
 */
const EDITING =
  /^(?:\x1b\[[\d;]*[ABCDFHZ~]|\x1bO[ABCDFH]|[\t\x01\x02\x05\x06\x0b\x0c\x0e\x10\x12-\x14\x19]|\x1b[bdf])$/;

/** A sequence of a key, a control character, or text. */
const PARTS =
  /\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]|O[\x20-\x7e]|[^\x1b]|$)|[\x00-\x1f\x7f]|[^\x00-\x1f\x7f]+/g;

const isKey = (part: string): boolean => /^[\x00-\x1f]/.test(part);
