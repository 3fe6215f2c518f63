/**
 * Finds lines that match a regular expression, with the lines around them, like grep.
 *
 * Each line is matched on its own, so ^ and $ are its ends. pattern.ts stops a slow pattern. Lines
 * are read from the history outside of the time limit, because code that is stopped by it leaves
 * its data in any state.
 */
import { PatternTooSlow } from '../errors.ts';
import type { Pattern } from './pattern.ts';

export interface SearchedLine {
  line: number;
  position: number;
  text: string;
  /** It continues the line before it, which was too long: see screen/lines/line-pieces.ts. */
  continues?: true;
  lost?: unknown;
}

interface FoundLine extends SearchedLine {
  /** False if it is a context line. */
  matched: boolean;
}

export interface SearchResult {
  lines: FoundLine[];
  /** How many lines matched. */
  matches: number;
  /** How many matches are in `lines`: the first ones. */
  shown: number;
}

/** Lines before and after each match. */
const CONTEXT = 2;
const MAX_MATCHES = 100;
/** For the whole search, also on a busy machine, because nothing else runs during it. */
const LIMIT_MS = 1000;

export function searchLines(
  lines: Iterable<SearchedLine>,
  pattern: Pattern,
  limitMs = LIMIT_MS,
): SearchResult {
  const result: SearchResult = { lines: [], matches: 0, shown: 0 };
  let before: SearchedLine[] = [];
  let after = 0;
  for (const [line, matched] of markMatches(lines, pattern, limitMs)) {
    if (matched) result.matches++;
    if (matched && result.shown < MAX_MATCHES) {
      result.shown++;
      result.lines.push(...before.map((line) => ({ ...line, matched: false })));
      result.lines.push({ ...line, matched });
      before = [];
      after = CONTEXT;
    } else if (!matched && after > 0) {
      result.lines.push({ ...line, matched });
      after--;
    } else {
      after = 0;
      before.push(line);
      if (before.length > CONTEXT) before.shift();
    }
  }
  return result;
}

/** The lines as text: "12:" before a match, "12-" before context, "--" between groups. */
export function searchResultLines({ lines }: SearchResult): { position: number; text: string }[] {
  return lines.flatMap(({ line, position, text, matched }, index) => {
    const isAfterGap = index > 0 && lines[index - 1]!.line + 1 !== line;
    const numbered = { position, text: `${line}${matched ? ':' : '-'}${text}` };
    return isAfterGap ? [{ position, text: '--' }, numbered] : [numbered];
  });
}

function* markMatches(
  lines: Iterable<SearchedLine>,
  pattern: Pattern,
  limitMs: number,
): Generator<[line: SearchedLine, matched: boolean]> {
  let leftMs = limitMs;
  for (const batch of batches(lines)) {
    if (leftMs <= 0) throw new PatternTooSlow(pattern.source, limitMs);
    const started = performance.now();
    const texts = batch.map(({ text }) => text);
    const matching = new Set(pattern.matching(texts, limitMs, leftMs));
    leftMs -= performance.now() - started;
    for (const [index, line] of batch.entries()) yield [line, matching.has(index)];
  }
}

/** Large enough that the 70 µs per call do not matter, and much smaller than the history. */
const BATCH_CHARACTERS = 256 * 1024;

function* batches(lines: Iterable<SearchedLine>): Generator<SearchedLine[]> {
  let batch: SearchedLine[] = [];
  let characters = 0;
  for (const line of joinPieces(lines)) {
    batch.push(line);
    characters += line.text.length + 1;
    if (characters >= BATCH_CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

/** Joins the pieces of a long line, so that it is matched as one, as far as it is kept. */
function* joinPieces(lines: Iterable<SearchedLine>): Generator<SearchedLine> {
  let whole: SearchedLine | undefined;
  for (const { line, position, text, continues, lost } of lines) {
    if (whole !== undefined && continues && !lost) {
      whole.text += text;
      continue;
    }
    if (whole !== undefined) yield whole;
    whole = { line, position, text };
  }
  if (whole !== undefined) yield whole;
}
