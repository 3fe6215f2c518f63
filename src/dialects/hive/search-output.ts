/** Looks for a pattern in the output since a command was sent, again and again as output arrives. */
import { PatternTooSlow } from '../../errors.ts';
import type { Pattern } from '../../views/pattern.ts';
import { DialectError } from '../shared/dialect-error.ts';
import type { OutputRing } from './output-ring.ts';
import { type PromptMarks, removePromptMarks } from './prompt-marks.ts';

/** How far before new output the next search starts: a match may begin in old output. */
const SEARCH_OVERLAP_BYTES = 64 * 1024;

/** Returns a function that searches once, and returns where the first match ends. */
export const searchOutput = (
  ring: OutputRing,
  marks: PromptMarks,
  expect: Pattern,
  from: number,
): (() => number | undefined) => {
  let searchStart = from;
  return () => {
    const shown = ring.slice(searchStart, ring.completeEnd).toString();
    const { text, originalEnd } = removePromptMarks(shown, marks);
    const match = firstMatch(expect, text);
    if (match === null) {
      searchStart = Math.max(searchStart, ring.end - SEARCH_OVERLAP_BYTES);
      return undefined;
    }
    const matchEnd = originalEnd(match.index + match[0].length);
    return searchStart + Buffer.byteLength(shown.slice(0, matchEnd));
  };
};

/** The error says that the command was sent. Otherwise the agent would send it again. */
const firstMatch = (expect: Pattern, text: string): RegExpExecArray | null => {
  try {
    return expect.exec(text);
  } catch (error) {
    if (!(error instanceof PatternTooSlow)) throw error;
    throw new DialectError(
      `expect pattern: ${error.message} The command was sent and goes on: read_only=True brings its output.`,
    );
  }
};
