/**
 * A regular expression from somebody we do not trust to have avoided (a+)+.
 *
 * It is run under the time limit of node:vm, which V8 heeds also in the middle of backtracking: a
 * watchdog thread stops it within 1 ms of the limit, for about 70 µs per call. (A worker thread
 * takes 25 ms to start and must be sent the text; V8's own linear engine refuses back references.)
 * Compiling cannot be stopped, so what makes that slow is refused: long patterns, and the flags i
 * and u together, which took V8 86 s for 270 characters of (a|b|c…)(a|b|c…)….
 */
import { type Context, createContext, Script } from 'node:vm';
import { InvalidPattern, PatternTooSlow } from '../errors.ts';

/** A thousand characters compile in at most 20 ms, whatever they are. */
const MAX_CHARACTERS = 1000;

/** A pattern without runaway repetition needs a few milliseconds for a megabyte. */
export const MATCH_LIMIT_MS = 250;

export class Pattern {
  readonly source: string;
  readonly #regexp: RegExp;

  /** JavaScript syntax; (?i) and (?s) may stand in front. ^ and $ match at every line. */
  constructor(source: string) {
    this.source = source;
    this.#regexp = compile(source);
  }

  /** The first match. */
  exec(text: string, limitMs = MATCH_LIMIT_MS): RegExpExecArray | null {
    return this.#within(limitMs, () => this.#regexp.exec(text));
  }

  /** The indexes of the texts that match, all found within one limit. */
  matching(texts: readonly string[], limitMs = MATCH_LIMIT_MS): number[] {
    return this.#within(limitMs, () => {
      const indexes: number[] = [];
      for (const [index, text] of texts.entries()) {
        if (this.#regexp.test(text)) indexes.push(index);
      }
      return indexes;
    });
  }

  #within<T>(limitMs: number, run: () => T): T {
    try {
      return runWithin(limitMs, run);
    } catch (error) {
      const stopped = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      // Backtracking that outgrows its stack before its time.
      if (stopped || error instanceof RangeError) throw new PatternTooSlow(this.source, limitMs);
      throw error;
    }
  }
}

let bounded: { slot: { run?: () => unknown }; context: Context; script: Script } | undefined;

/** The limit holds for a script only, so there is one, and it calls what it finds in its global. */
function runWithin<T>(limitMs: number, run: () => T): T {
  if (!bounded) {
    const slot = {};
    bounded = { slot, context: createContext(slot), script: new Script('run()') };
  }
  const { slot, context, script } = bounded;
  slot.run = run;
  try {
    return script.runInContext(context, { timeout: Math.max(1, Math.ceil(limitMs)) });
  } finally {
    delete slot.run;
  }
}

function compile(source: string): RegExp {
  if (source.length > MAX_CHARACTERS) {
    throw new InvalidPattern(source, `it is longer than ${MAX_CHARACTERS} characters`);
  }
  const [prefix, letters = ''] = /^\(\?([ims]+)\)/.exec(source) ?? [''];
  const body = source.slice(prefix.length);
  // Only where it is needed, because it also refuses \- and a lone {, which everybody writes.
  const unicode = /\\[pP]\{|\\u\{|[\u{10000}-\u{10ffff}]/u.test(body);
  if (unicode && letters.includes('i')) {
    throw new InvalidPattern(source, '(?i) cannot stand with \\p{…}, \\u{…} or an emoji');
  }
  if (!unicode) refuseForeignEscapes(source);

  const flags = `m${letters.includes('i') ? 'i' : ''}${letters.includes('s') ? 's' : ''}`;
  const attempt = (text: string) => {
    try {
      return new RegExp(text, unicode ? `${flags}u` : flags);
    } catch (error) {
      return reasonOf(error as SyntaxError);
    }
  };

  const regexp = attempt(body);
  if (regexp instanceof RegExp) return regexp;
  // V8 does not say where: it is where the last part begins that is wrong in just that way.
  let end = body.length;
  while (end > 1 && attempt(body.slice(0, end - 1)) === regexp) end--;
  throw new InvalidPattern(source, regexp, prefix.length + end - 1);
}

/** \A or \Z of other languages would silently mean the letter. */
function refuseForeignEscapes(source: string): void {
  for (const { 0: escaped, index } of source.matchAll(/\\./gs)) {
    if (/\\[a-z]/i.test(escaped) && !/\\[bBcdDfknrsStuvwWx]/.test(escaped)) {
      throw new InvalidPattern(source, `JavaScript has no ${escaped}`, index);
    }
  }
}

const reasonOf = ({ message }: SyntaxError) => message.slice(message.lastIndexOf(': ') + 2);
