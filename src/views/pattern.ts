/**
 * A regular expression from somebody we do not trust to have avoided (a+)+.
 *
 * Compiling is tried elsewhere first (pattern-trial.ts), unless it is plain. Matching runs here, under
 * the time limit of node:vm, which V8 does heed in the middle of backtracking: within 1 ms of the
 * limit on an idle machine, for about 70 µs per call. V8's own engine without backtracking is no way
 * out: it leaves aside (?i), back references and lookahead.
 */
import { type Context, createContext, Script } from 'node:vm';
import { InvalidPattern, PatternTooSlow } from '../errors.ts';
import { COMPILE_LIMIT_MS, tryCompiling } from './pattern-trial.ts';

const MAX_CHARACTERS = 1000;

/** A pattern without runaway repetition needs a few milliseconds for a megabyte. */
const MATCH_LIMIT_MS = 250;

/** For a match that was given less than half of its time: nothing else runs for a second at most. */
const TRIES = 4;

interface Limit {
  limitMs: number;
  /** What earlier texts have left of it. @default all */
  leftMs?: number;
  tries: number;
}

export class Pattern {
  readonly source: string;
  readonly #regexp: RegExp;

  private constructor(source: string, regexp: RegExp) {
    this.source = source;
    this.#regexp = regexp;
  }

  /** JavaScript syntax; (?i) and (?s) may stand in front. ^ and $ match at every line. */
  static async compile(source: string): Promise<Pattern> {
    const { prefix, body, flags } = readSource(source);
    const plain = isLiteral(body) && !flags.includes('u') ? plainRegExp(body, flags) : undefined;
    if (plain) return new Pattern(source, plain);
    const trial = await tryCompiling(body, flags);
    if (trial === 'too slow') throw new PatternTooSlow(source, COMPILE_LIMIT_MS);
    if (!trial.ok) throw new InvalidPattern(source, trial.reason, prefix.length + trial.position);
    return new Pattern(source, new RegExp(body, flags));
  }

  /** The first match. */
  exec(text: string, limitMs = MATCH_LIMIT_MS): RegExpExecArray | null {
    return this.#within({ limitMs, tries: TRIES }, () => this.#regexp.exec(text));
  }

  /** The indexes of the texts that match, all found within what is left of a limit. */
  matching(texts: readonly string[], limitMs: number, leftMs: number): number[] {
    return this.#within({ limitMs, leftMs, tries: 1 }, () => {
      const indexes: number[] = [];
      for (const [index, text] of texts.entries()) {
        if (this.#regexp.test(text)) indexes.push(index);
      }
      return indexes;
    });
  }

  #within<T>({ limitMs, leftMs = limitMs, tries }: Limit, run: () => T): T {
    const before = process.cpuUsage();
    try {
      return runWithin(leftMs, run);
    } catch (error) {
      const stopped = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      const { user, system } = process.cpuUsage(before);
      // Time has passed, and on a busy machine others may have had it.
      const isStarved = (user + system) / 1000 < limitMs / 2;
      if (stopped && isStarved && tries > 1)
        return this.#within({ limitMs, tries: tries - 1 }, run);
      // Backtracking that outgrows its stack before its time.
      if (stopped || error instanceof RangeError) throw new PatternTooSlow(this.source, limitMs);
      throw error;
    }
  }
}

/**
 * Whether compiling surely takes no time: what can make it explode is an assertion or a count inside
 * repetition, so there are none, and no repetition but of single characters and classes. Nor is a
 * pattern plain that needs Unicode: together with (?i) alternatives in a chain explode.
 */
export const isLiteral = (body: string): boolean =>
  /^(?:\\[dDwWsSnrt.$^*+?()[\]{}|/\\-]|\[(?:[^\\\]]|\\[^bBc])+\]|\((?!\?)|\)(?![*+?{])|[^\\[(){])*$/.test(
    body,
  );

/** Undefined where it is no regular expression: what is wrong with it the trial can tell. */
const plainRegExp = (body: string, flags: string): RegExp | undefined => {
  try {
    return new RegExp(body, flags);
  } catch {
    return undefined;
  }
};

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

function readSource(source: string): { prefix: string; body: string; flags: string } {
  if (source.length > MAX_CHARACTERS) {
    throw new InvalidPattern(source, `it is longer than ${MAX_CHARACTERS} characters`);
  }
  const [prefix, letters = ''] = /^\(\?([ims]+)\)/.exec(source) ?? [''];
  const body = source.slice(prefix.length);
  // Only where it is needed, because it also refuses \- and a lone {, which everybody writes.
  const unicode = /\\[pP]\{|\\u\{|[\u{10000}-\u{10ffff}]/u.test(body);
  if (!unicode) refuseForeignEscapes(source);
  const flags = [...new Set(`m${letters}${unicode ? 'u' : ''}`)].join('');
  return { prefix, body, flags };
}

/** \A or \Z of other languages would silently mean the letter. */
function refuseForeignEscapes(source: string): void {
  for (const { 0: escaped, index } of source.matchAll(/\\./gs)) {
    if (/\\[a-z]/i.test(escaped) && !/\\[bBcdDfknrsStuvwWx]/.test(escaped)) {
      throw new InvalidPattern(source, `JavaScript has no ${escaped}`, index);
    }
  }
}
