/**
 * Writes a regular expression of Python's as one of JavaScript's that matches the same text.
 *
 * Nothing depends on flags but the case of letters: Python's ^, $ and dot know \n alone as the end of a
 * line, JavaScript's know \r too, which is in all output of a terminal. Groups have numbers only.
 */
import { PatternNotTranslatable } from '../../errors.ts';
import { parsePythonRegex } from './parse-python-regex.ts';
import type { CharacterCategory, RegexFlags, RegexNode, SetItem } from './python-regex.ts';

export interface JavaScriptRegex {
  body: string;
  flags: string;
}

export const translatePythonRegex = (source: string): JavaScriptRegex => {
  const regex = parsePythonRegex(source);
  assertReferencesAreSet(regex, new Set(), source);
  return new Writer(source, regex).write();
};

const ANY = '[^]';
const START = '(?<![^])';
const LINE_START = '(?<![^\\n])';
const END = '(?![^])';
/** Also before a line feed that is the last character. */
const END_OR_LAST_LINE_FEED = '(?![^\\n]|\\n[^])';
const LINE_END = '(?![^\\n])';

/** The inside of a set. */
const categories: Readonly<Record<CharacterCategory, { ascii: string; unicode: string }>> = {
  d: { ascii: '0-9', unicode: '\\p{Nd}' },
  // Python counts the separators of ASCII as white space, and JavaScript does not.
  s: { ascii: ' \\t-\\r', unicode: '\\s\\x1c-\\x1f\\x85' },
  w: { ascii: 'a-zA-Z0-9_', unicode: '\\p{L}\\p{N}_' },
};

class Writer {
  readonly #source: string;
  readonly #regex: RegexNode;
  /** Undefined if only a part of the pattern ignores case. Then each letter is written in both. */
  readonly #ignoresCase: boolean | undefined;
  /** Of each of Python's groups. There are more in JavaScript: see `#atomic`. */
  readonly #groupNumbers = new Map<number, number>();
  #groupCount = 0;
  /** Without it, half of a character outside the basic plane counts as one. */
  #needsUnicode = false;

  constructor(source: string, regex: RegexNode) {
    this.#source = source;
    this.#regex = regex;
    const cases = new Set(casesIn(regex));
    this.#ignoresCase = cases.size > 1 ? undefined : cases.has(true);
  }

  write(): JavaScriptRegex {
    const body = this.#write(this.#regex);
    const flags = `${this.#ignoresCase ? 'i' : ''}${this.#needsUnicode ? 'u' : ''}`;
    return { body, flags };
  }

  #write(node: RegexNode): string {
    switch (node.type) {
      case 'character':
        return this.#character(node.codePoint, node.flags);
      case 'any':
        this.#needsUnicode = true;
        return node.flags.dotAll ? ANY : '[^\\n]';
      case 'set':
        return this.#set(node.items, node.isNegated, node.flags);
      case 'position':
        return this.#position(node.at, node.flags);
      case 'sequence':
        return node.nodes.map((part) => this.#write(part)).join('');
      case 'alternatives':
        return node.branches.map((branch) => this.#write(branch)).join('|');
      case 'group':
        return this.#group(node);
      case 'repeat':
        return this.#repeat(node);
      case 'reference':
        return this.#reference(node);
    }
  }

  #character(codePoint: number, flags: RegexFlags): string {
    const variants = this.#variants({ from: codePoint, to: codePoint }, flags);
    if (variants.length > 0) return this.#set([{ from: codePoint, to: codePoint }], false, flags);
    return this.#escaped(codePoint, /[\^$\\.*+?()[\]{}|/]/);
  }

  /** Written so that it means the same with and without the flag u. */
  #escaped(codePoint: number, special: RegExp): string {
    if (codePoint > 0xffff) this.#needsUnicode = true;
    if (codePoint < 0x20 || codePoint === 0x7f)
      return `\\x${codePoint.toString(16).padStart(2, '0')}`;
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) return `\\u${codePoint.toString(16)}`;
    const character = String.fromCodePoint(codePoint);
    return special.test(character) ? `\\${character}` : character;
  }

  #set(items: readonly SetItem[], isNegated: boolean, flags: RegexFlags): string {
    const width = flags.ascii ? 'ascii' : 'unicode';
    // A set cannot have "no letter" beside other items.
    const excluded = items.flatMap((item) =>
      'category' in item && item.isNegated ? [categories[item.category][width]] : [],
    );
    const inside = items
      .flatMap((item) => {
        if ('category' in item) return item.isNegated ? [] : [categories[item.category][width]];
        return [item, ...this.#variants(item, flags)].map((range) => this.#range(range));
      })
      .join('');
    if (isNegated || excluded.length > 0 || inside.includes('\\p')) this.#needsUnicode = true;
    if (excluded.length === 0) return `[${isNegated ? '^' : ''}${inside}]`;
    const others = excluded.map((category) => `[^${category}]`);
    const any = [...(inside === '' ? [] : [`[${inside}]`]), ...others].join('|');
    if (isNegated) return `(?:(?!${any})${ANY})`;
    return others.length === 1 && inside === '' ? others[0]! : `(?:${any})`;
  }

  #range({ from, to }: { from: number; to: number }): string {
    const special = /[\\\]^[-]/;
    const first = this.#escaped(from, special);
    return from === to ? first : `${first}-${this.#escaped(to, special)}`;
  }

  /** The other cases of the letters in a range, where no flag says that case does not matter. */
  #variants(
    { from, to }: { from: number; to: number },
    { ignoreCase }: RegexFlags,
  ): { from: number; to: number }[] {
    if (this.#ignoresCase !== undefined || !ignoreCase) return [];
    const variants = new Set<number>();
    for (let codePoint = from; codePoint <= Math.min(to, from + MAX_RANGE); codePoint++) {
      const character = String.fromCodePoint(codePoint);
      for (const other of [character.toLowerCase(), character.toUpperCase()])
        if ([...other].length === 1) variants.add(other.codePointAt(0)!);
    }
    return [...variants]
      .filter((codePoint) => codePoint < from || codePoint > to)
      .map((codePoint) => ({ from: codePoint, to: codePoint }));
  }

  #position(at: string, { multiline, ascii }: RegexFlags): string {
    if (at === '^') return multiline ? LINE_START : START;
    if (at === '$') return multiline ? LINE_END : END_OR_LAST_LINE_FEED;
    if (at === 'A') return START;
    if (at === 'Z') return END;
    if (!ascii) this.#needsUnicode = true;
    const word = `[${categories.w[ascii ? 'ascii' : 'unicode']}]`;
    return at === 'b'
      ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
      : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
  }

  #group({ kind, body, number }: Extract<RegexNode, { type: 'group' }>): string {
    if (kind === '?>') return this.#atomic(body);
    if (number === undefined) return `(${kind}${this.#write(body)})`;
    this.#groupNumbers.set(number, ++this.#groupCount);
    return `(${this.#write(body)})`;
  }

  /** What a lookahead has matched is never tried in another way. */
  #atomic(body: RegexNode): string {
    const number = ++this.#groupCount;
    return `(?:(?=(${this.#write(body)}))\\${number})`;
  }

  #repeat(node: Extract<RegexNode, { type: 'repeat' }>): string {
    const { body, min, max, mode } = node;
    if (mode === 'possessive') return this.#atomic({ ...node, mode: 'greedy' });
    const isWhole =
      body.type !== 'group' || body.kind === 'capture' || body.kind === '?:' || body.kind === '?>';
    const text = this.#write(body);
    return `${isWhole ? text : `(?:${text})`}${countSign(min, max)}${mode === 'lazy' ? '?' : ''}`;
  }

  #reference({ group, position, flags }: Extract<RegexNode, { type: 'reference' }>): string {
    if (this.#ignoresCase === undefined && flags.ignoreCase)
      throw new PatternNotTranslatable(
        this.#source,
        `\\${group}`,
        'a reference that ignores case in a part of the pattern',
        position,
      );
    return `(?:\\${this.#groupNumbers.get(group)})`;
  }
}

/** The letters of larger ranges are not looked at one by one. */
const MAX_RANGE = 2000;

const countSign = (min: number, max: number): string => {
  const isUnbounded = max === Number.POSITIVE_INFINITY;
  if (min === 0 && max === 1) return '?';
  if (isUnbounded && min <= 1) return min === 0 ? '*' : '+';
  if (min === max) return `{${min}}`;
  return `{${min},${isUnbounded ? '' : max}}`;
};

const childrenOf = (node: RegexNode): readonly RegexNode[] => {
  if (node.type === 'sequence') return node.nodes;
  if (node.type === 'alternatives') return node.branches;
  return 'body' in node ? [node.body] : [];
};

/** For each part to which case matters: whether it ignores case. */
const casesIn = (node: RegexNode): boolean[] => {
  if (node.type === 'character' || node.type === 'set' || node.type === 'reference')
    return [node.flags.ignoreCase];
  return childrenOf(node).flatMap(casesIn);
};

/**
 * A reference to a group that has not matched fails in Python and matches nothing in JavaScript, so it
 * is refused where that can happen. Returns the groups that have certainly matched after this node.
 */
const assertReferencesAreSet = (
  node: RegexNode,
  before: ReadonlySet<number>,
  source: string,
): ReadonlySet<number> => {
  const after = (child: RegexNode, set = before) => assertReferencesAreSet(child, set, source);
  switch (node.type) {
    case 'reference':
      if (!before.has(node.group))
        throw new PatternNotTranslatable(
          source,
          `\\${node.group}`,
          'a reference to a group that may not have matched',
          node.position,
        );
      return before;
    case 'sequence':
      return node.nodes.reduce((set, child) => after(child, set), before);
    case 'alternatives': {
      const [first, ...others] = node.branches.map((branch) => after(branch));
      return new Set([...first!].filter((group) => others.every((set) => set.has(group))));
    }
    case 'repeat': {
      const set = after(node.body);
      return node.min > 0 ? set : before;
    }
    case 'group': {
      const set = after(node.body);
      if (node.kind === '?!' || node.kind === '?<!') return before;
      return node.number === undefined ? set : new Set([...set, node.number]);
    }
    default:
      return before;
  }
};
