/**
 * Parses a regular expression as Python's `re` does (3.11 and later), mistakes included: what Python
 * refuses is refused here, in its words.
 */
import { InvalidPattern, PatternNotTranslatable } from '../../errors.ts';
import type {
  CharacterCategory,
  GroupKind,
  RegexFlags,
  RegexNode,
  RegexPosition,
  RepeatMode,
  SetItem,
} from './python-regex.ts';

export const parsePythonRegex = (source: string): RegexNode => new Parser(source).parse();

const flagNames: Readonly<Record<string, keyof RegexFlags>> = {
  a: 'ascii',
  i: 'ignoreCase',
  m: 'multiline',
  s: 'dotAll',
  x: 'verbose',
};

const NO_FLAGS: RegexFlags = {
  ascii: false,
  ignoreCase: false,
  multiline: false,
  dotAll: false,
  verbose: false,
};

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

class Parser {
  readonly #source: string;
  readonly #characters: readonly string[];
  #at = 0;
  #groupCount = 0;
  readonly #openGroups = new Set<number>();
  readonly #groupNames = new Map<string, number>();

  constructor(source: string) {
    this.#source = source;
    this.#characters = [...source];
  }

  parse(): RegexNode {
    const regex = this.#alternatives(this.#globalFlags());
    if (this.#at < this.#characters.length) throw this.#mistake('unbalanced parenthesis');
    return regex;
  }

  /** (?i) and the like, which stand only at the very beginning. */
  #globalFlags(): RegexFlags {
    let flags = NO_FLAGS;
    for (;;) {
      this.#skipVerbose(flags);
      const letters = this.#take(/^\(\?([aiLmsux]+)\)/);
      if (letters !== undefined) flags = this.#withFlags(flags, letters[1]!, '');
      else if (this.#take(/^\(\?#[^)]*\)/) === undefined) return flags;
    }
  }

  #withFlags(flags: RegexFlags, on: string, off: string): RegexFlags {
    if (on.includes('L'))
      throw this.#mistake("bad inline flags: cannot use 'L' flag with a str pattern");
    if (/[aLu]/.test(off))
      throw this.#mistake("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
    const changed: Partial<RegexFlags> = {};
    for (const letter of on) if (letter !== 'u') changed[flagNames[letter]!] = true;
    for (const letter of off) changed[flagNames[letter]!] = false;
    return { ...flags, ...changed, ...(on.includes('u') && { ascii: false }) };
  }

  #alternatives(flags: RegexFlags): RegexNode {
    const branches = [this.#sequence(flags)];
    while (this.#take(/^\|/)) branches.push(this.#sequence(flags));
    return branches.length === 1 ? branches[0]! : { type: 'alternatives', branches };
  }

  #sequence(flags: RegexFlags): RegexNode {
    const nodes: RegexNode[] = [];
    for (;;) {
      this.#skipVerbose(flags);
      const next = this.#peek();
      if (next === undefined || next === '|' || next === ')') return { type: 'sequence', nodes };
      const repeat = this.#repeat();
      if (repeat !== undefined) nodes.push(this.#repeated(nodes.pop(), repeat));
      else nodes.push(...this.#atom(flags));
    }
  }

  #repeat(): { min: number; max: number; mode: RepeatMode } | undefined {
    const found = this.#take(/^(?:[*+?]|\{(?!\})(\d*)(,?)(\d*)\})([?+]?)/);
    if (found === undefined) return undefined;
    const [text, low = '', comma, high = '', suffix] = found;
    const mode = suffix === '?' ? 'lazy' : suffix === '+' ? 'possessive' : 'greedy';
    if (!text!.startsWith('{')) {
      const [sign] = text!;
      return {
        min: sign === '+' ? 1 : 0,
        max: sign === '?' ? 1 : Number.POSITIVE_INFINITY,
        mode,
      };
    }
    const min = low === '' ? 0 : Number(low);
    const unbounded = high === '' ? Number.POSITIVE_INFINITY : Number(high);
    const max = comma === '' ? min : unbounded;
    if (max < min) throw this.#mistake('min repeat greater than max repeat');
    return { min, max, mode };
  }

  #repeated(
    body: RegexNode | undefined,
    repeat: { min: number; max: number; mode: RepeatMode },
  ): RegexNode {
    if (body === undefined || body.type === 'position') throw this.#mistake('nothing to repeat');
    if (body.type === 'repeat') throw this.#mistake('multiple repeat');
    return { type: 'repeat', body, ...repeat };
  }

  /** Nothing for a comment. */
  #atom(flags: RegexFlags): RegexNode[] {
    const character = this.#next();
    switch (character) {
      case '.':
        return [{ type: 'any', flags }];
      case '^':
      case '$':
        return [{ type: 'position', at: character, flags }];
      case '(':
        return this.#take(/^\?#[^)]*\)/) ? [] : [this.#group(flags)];
      case '[':
        return [this.#set(flags)];
      case '\\':
        return [this.#escape(flags)];
      default:
        return [{ type: 'character', codePoint: character.codePointAt(0)!, flags }];
    }
  }

  #group(flags: RegexFlags): RegexNode {
    const start = this.#at - 1;
    const kind = this.#take(/^\?(?:<[=!]|[:=!>])/)?.[0];
    if (kind !== undefined) return this.#groupBody(kind as GroupKind, flags, start);
    if (!this.#take(/^\?/)) return this.#capture(flags, start);
    const name = this.#take(/^P<([^>]*)>/)?.[1];
    if (name !== undefined) return this.#capture(flags, start, name);
    const reference = this.#take(/^P=([^)]*)\)/)?.[1];
    if (reference !== undefined) return this.#namedReference(reference, flags, start);
    if (this.#take(/^\(/))
      throw new PatternNotTranslatable(this.#source, '(?(…)', 'a condition on a group', start);
    const scoped = this.#take(/^([aiLmsux]*)(?:-([imsx]+))?:/);
    if (scoped !== undefined) {
      const inner = this.#withFlags(flags, scoped[1]!, scoped[2] ?? '');
      return this.#groupBody('?:', inner, start);
    }
    if (this.#take(/^[aiLmsux]+\)/))
      throw this.#mistake('global flags not at the start of the expression', start);
    throw this.#mistake(`unknown extension ?${this.#peek() ?? ''}`, start);
  }

  #groupBody(kind: GroupKind, flags: RegexFlags, start: number, number?: number): RegexNode {
    const body = this.#alternatives(flags);
    if (!this.#take(/^\)/)) throw this.#mistake('missing ), unterminated subpattern', start);
    return { type: 'group', kind, body, ...(number !== undefined && { number }) };
  }

  #capture(flags: RegexFlags, start: number, name?: string): RegexNode {
    const number = ++this.#groupCount;
    if (name !== undefined) {
      if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
        throw this.#mistake(`bad character in group name '${name}'`, start);
      if (this.#groupNames.has(name))
        throw this.#mistake(`redefinition of group name '${name}'`, start);
      this.#groupNames.set(name, number);
    }
    this.#openGroups.add(number);
    const group = this.#groupBody('capture', flags, start, number);
    this.#openGroups.delete(number);
    return group;
  }

  #namedReference(name: string, flags: RegexFlags, start: number): RegexNode {
    const group = this.#groupNames.get(name);
    if (group === undefined) throw this.#mistake(`unknown group name '${name}'`, start);
    return this.#reference(group, flags, start);
  }

  #reference(group: number, flags: RegexFlags, position: number): RegexNode {
    if (group > this.#groupCount) throw this.#mistake(`invalid group reference ${group}`, position);
    if (this.#openGroups.has(group)) throw this.#mistake('cannot refer to an open group', position);
    return { type: 'reference', group, position, flags };
  }

  #escape(flags: RegexFlags): RegexNode {
    const start = this.#at - 1;
    const at = this.#take(/^[AZzbB]/)?.[0];
    if (at !== undefined)
      return { type: 'position', at: at === 'z' ? 'Z' : (at as RegexPosition), flags };
    const octal = this.#take(/^(?:0[0-7]{0,2}|[1-7][0-7]{2})/)?.[0];
    if (octal !== undefined)
      return { type: 'character', codePoint: this.#octal(octal, start), flags };
    const group = this.#take(/^[1-9]\d?/)?.[0];
    if (group !== undefined) return this.#reference(Number(group), flags, start);
    const item = this.#commonEscape(start);
    return 'category' in item
      ? { type: 'set', items: [item], isNegated: false, flags }
      : { type: 'character', codePoint: item.from, flags };
  }

  #octal(digits: string, start: number): number {
    const value = Number.parseInt(digits, 8);
    if (value > 0o377)
      throw this.#mistake(`octal escape value \\${digits} outside of range 0-0o377`, start);
    return value;
  }

  /** An escape that means the same inside and outside a set. The backslash has been read. */
  #commonEscape(start: number): SetItem {
    const category = this.#take(/^[dDsSwW]/)?.[0];
    if (category !== undefined) {
      const lower = category.toLowerCase() as CharacterCategory;
      return { category: lower, isNegated: category !== lower };
    }
    const hex =
      this.#take(/^x([\da-fA-F]{2})/) ??
      this.#take(/^u([\da-fA-F]{4})/) ??
      this.#take(/^U(00(?:0[\da-fA-F]|10)[\da-fA-F]{4})/);
    if (hex !== undefined) return single(Number.parseInt(hex[1]!, 16));
    if (this.#take(/^N\{/))
      throw new PatternNotTranslatable(this.#source, '\\N{…}', 'a character by its name', start);
    if (this.#peek() === undefined) throw this.#mistake('bad escape (end of pattern)', start);
    const character = this.#next();
    if (Object.hasOwn(controls, character)) return single(controls[character]!);
    if (/[a-z\d]/i.test(character)) throw this.#mistake(`bad escape \\${character}`, start);
    return single(character.codePointAt(0)!);
  }

  #set(flags: RegexFlags): RegexNode {
    const start = this.#at - 1;
    const isNegated = this.#take(/^\^/) !== undefined;
    const items: SetItem[] = [];
    // A ] that stands first is one of the characters.
    while (items.length === 0 || !this.#take(/^\]/)) {
      const first = this.#setItem(start);
      if (!this.#take(/^-(?!\])/)) items.push(first);
      else items.push(this.#range(first, this.#setItem(start), start));
    }
    return { type: 'set', items, isNegated, flags };
  }

  #setItem(start: number): SetItem {
    if (this.#peek() === undefined) throw this.#mistake('unterminated character set', start);
    const at = this.#at;
    const character = this.#next();
    if (character !== '\\') return single(character.codePointAt(0)!);
    if (this.#take(/^b/)) return single(8);
    const octal = this.#take(/^[0-7]{1,3}/)?.[0];
    return octal === undefined ? this.#commonEscape(at) : single(this.#octal(octal, at));
  }

  #range(first: SetItem, last: SetItem, start: number): SetItem {
    if ('category' in first || 'category' in last || first.from > last.to)
      throw this.#mistake('bad character range', start);
    return { from: first.from, to: last.to };
  }

  /** White space and comments, which (?x) lets a pattern have. */
  #skipVerbose({ verbose }: RegexFlags): void {
    if (verbose) this.#take(/^(?:\s|#[^\n]*(?:\n|$))+/);
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #next(): string {
    return this.#characters[this.#at++]!;
  }

  /** Reads what matches here, if anything does. */
  #take(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.#characters.slice(this.#at).join(''));
    if (found === null) return undefined;
    this.#at += [...found[0]].length;
    return found;
  }

  #mistake(reason: string, position = Math.max(0, this.#at - 1)): InvalidPattern {
    return new InvalidPattern(this.#source, reason, position);
  }
}

const single = (codePoint: number): { from: number; to: number } => ({
  from: codePoint,
  to: codePoint,
});
