/**
 * An untrusted regular expression, which may be a slow one such as (a+)+.
 *
 * A child process compiles it first (pattern-trial.ts), unless it is simple. Matching runs here,
 * with the time limit of node:vm, which V8 obeys in the middle of backtracking: within 1 ms of the
 * limit on an idle machine, for about 70 µs per call. V8's engine without backtracking does not
 * help: it has no (?i), back references or lookahead.
 */
import { type Context, createContext, Script } from 'node:vm';
import { InvalidPattern, PatternTooSlow } from '../errors.ts';
import { PATTERN_COMPILE_LIMIT_MS, tryCompilingPattern } from './pattern-trial.ts';

const MAX_CHARACTERS = 1000;

/** A pattern without runaway repetition needs a few milliseconds for a megabyte. */
const MATCH_LIMIT_MS = 250;

/**
 * How often a match runs if it got less than half of its time from the processor. Together they
 * block this process for at most a second.
 */
const MAX_TRIES = 4;

interface Limit {
  limitMs: number;
  /** The rest of the limit, after earlier texts. @default all of it */
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

  /** JavaScript syntax, with optional (?i) and (?s) in front. ^ and $ match at every line. */
  static async compile(source: string): Promise<Pattern> {
    assertLength(source);
    return Pattern.#compile(source, readSource(source));
  }

  /** Another language's syntax, which `translate` writes in JavaScript's. Errors show the original. */
  static async compileTranslated(
    source: string,
    translate: (source: string) => { body: string; flags: string },
  ): Promise<Pattern> {
    assertLength(source);
    return Pattern.#compile(source, { prefix: '', ...translate(source) });
  }

  static async #compile(source: string, { prefix, body, flags }: PatternParts): Promise<Pattern> {
    const simple =
      isSimplePattern(body) && !flags.includes('u') ? simpleRegExp(body, flags) : undefined;
    if (simple) return new Pattern(source, simple);
    const trial = await tryCompilingPattern(body, flags);
    if (trial === 'too slow') throw new PatternTooSlow(source, PATTERN_COMPILE_LIMIT_MS);
    if (!trial.ok) throw new InvalidPattern(source, trial.reason, prefix.length + trial.position);
    return new Pattern(source, new RegExp(body, flags));
  }

  /** Whether any of these matches, tested at once. They must be quick: their groups have no numbers. */
  static anyOf(patterns: readonly Pattern[]): (text: string) => boolean {
    const sources = new Map<string, string[]>();
    for (const { source, flags } of patterns.map((each) => each.#regexp))
      sources.set(flags, [...(sources.get(flags) ?? []), `(?:${source})`]);
    const joined = [...sources].map(([flags, each]) => new RegExp(each.join('|'), flags));
    return (text) => joined.some((regexp) => regexp.test(text));
  }

  /** The first match. */
  exec(text: string, limitMs = MATCH_LIMIT_MS): RegExpExecArray | null {
    return this.#within({ limitMs, tries: MAX_TRIES }, () => this.#regexp.exec(text));
  }

  /** Without a time limit of its own: for a quick pattern, or inside `withinPatternLimit`. */
  test(text: string): boolean {
    return this.#regexp.test(text);
  }

  /** The indexes of the texts that match. All texts together have `leftMs` left of the limit. */
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
      const isTimeout = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      const { user, system } = process.cpuUsage(before);
      // On a busy machine other processes may have used the time.
      const isStarved = (user + system) / 1000 < limitMs / 2;
      if (isTimeout && isStarved && tries > 1)
        return this.#within({ limitMs, tries: tries - 1 }, run);
      // A RangeError: backtracking ran out of stack before it ran out of time.
      if (isTimeout || error instanceof RangeError) throw new PatternTooSlow(this.source, limitMs);
      throw error;
    }
  }
}

/**
 * Whether compiling is certainly fast. Assertions and counts inside a repetition can make it
 * explode, so a simple pattern has none, and repeats only single characters and classes. A pattern
 * that needs Unicode is not simple either: chained alternatives explode together with (?i).
 */
export const isSimplePattern = (body: string): boolean =>
  /^(?:\\[dDwWsSnrt.$^*+?()[\]{}|/\\-]|\[(?:[^\\\]]|\\[^bBc])+\]|\((?!\?)|\)(?![*+?{])|[^\\[(){])*$/.test(
    body,
  );

/**
 * Whether matching is certainly fast for a short text: it repeats at most two things without end, and each
 * of them is a single character or a class.
 */
export const isQuickPattern = (source: string): boolean => {
  const body = source.replace(/^\(\?[ims]+\)/, '');
  return isSimplePattern(body) && (body.match(/(?<!\\)[*+]|\{\d*,\}/g) ?? []).length <= 2;
};

/** Runs `match`, which tests any number of patterns, and throws PatternTooSlow if it takes too long. */
export const withinPatternLimit = <T>(match: () => T): T => {
  try {
    return runWithin(MATCH_LIMIT_MS, match);
  } catch (error) {
    const isTimeout = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (isTimeout || error instanceof RangeError)
      throw new PatternTooSlow('of a policy', MATCH_LIMIT_MS);
    throw error;
  }
};

/** Undefined if it is not a regular expression. The trial then finds the error. */
const simpleRegExp = (body: string, flags: string): RegExp | undefined => {
  try {
    return new RegExp(body, flags);
  } catch {
    return undefined;
  }
};

let sandbox: { slot: { run?: () => unknown }; context: Context; script: Script } | undefined;

/** node:vm limits only scripts, so this runs a script that calls `run` of its global. */
function runWithin<T>(limitMs: number, run: () => T): T {
  if (!sandbox) {
    const slot = {};
    sandbox = { slot, context: createContext(slot), script: new Script('run()') };
  }
  const { slot, context, script } = sandbox;
  slot.run = run;
  try {
    return script.runInContext(context, { timeout: Math.max(1, Math.ceil(limitMs)) });
  } finally {
    delete slot.run;
  }
}

interface PatternParts {
  /** The flags, as they stand in front of the body. */
  prefix: string;
  body: string;
  flags: string;
}

function assertLength(source: string): void {
  if (source.length > MAX_CHARACTERS) {
    throw new InvalidPattern(source, `it is longer than ${MAX_CHARACTERS} characters`);
  }
}

function readSource(source: string): PatternParts {
  const [prefix, letters = ''] = /^\(\?([ims]+)\)/.exec(source) ?? [''];
  const body = source.slice(prefix.length);
  // The u flag is only set if needed, because it also refuses \- and a lone {, which are common.
  const needsUnicode = /\\[pP]\{|\\u\{|[\u{10000}-\u{10ffff}]/u.test(body);
  if (!needsUnicode) refuseForeignEscapes(source);
  const flags = [...new Set(`m${letters}${needsUnicode ? 'u' : ''}`)].join('');
  return { prefix, body, flags };
}

/** JavaScript would take \A or \Z of other languages for the letter. */
function refuseForeignEscapes(source: string): void {
  for (const { 0: escaped, index } of source.matchAll(/\\./gs)) {
    if (/\\[a-z]/i.test(escaped) && !/\\[bBcdDfknrsStuvwWx]/.test(escaped)) {
      throw new InvalidPattern(source, `JavaScript has no ${escaped}`, index);
    }
  }
}
