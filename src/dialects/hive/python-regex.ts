/** What a regular expression in Python's syntax consists of, as parse-python-regex.ts finds it. */

export interface RegexFlags {
  /** \w, \d, \s and \b know ASCII only. */
  ascii: boolean;
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  verbose: boolean;
}

/** \d, \s, \w: digits, white space, letters with digits and the underscore. */
export type CharacterCategory = 'd' | 's' | 'w';

export type SetItem =
  | { from: number; to: number }
  | { category: CharacterCategory; isNegated: boolean };

export type RegexNode =
  | { type: 'character'; codePoint: number; flags: RegexFlags }
  | { type: 'any'; flags: RegexFlags }
  | { type: 'set'; items: readonly SetItem[]; isNegated: boolean; flags: RegexFlags }
  | { type: 'position'; at: RegexPosition; flags: RegexFlags }
  | { type: 'sequence'; nodes: readonly RegexNode[] }
  | { type: 'alternatives'; branches: readonly RegexNode[] }
  | { type: 'group'; kind: GroupKind; body: RegexNode; number?: number }
  | { type: 'repeat'; body: RegexNode; min: number; max: number; mode: RepeatMode }
  | { type: 'reference'; group: number; position: number; flags: RegexFlags };

/** ^ and $ depend on the flags; \A and \Z do not; \b and \B. */
export type RegexPosition = '^' | '$' | 'A' | 'Z' | 'b' | 'B';

/** The text after the parenthesis. A capturing group has a number. */
export type GroupKind = 'capture' | '?:' | '?=' | '?!' | '?<=' | '?<!' | '?>';

export type RepeatMode = 'greedy' | 'lazy' | 'possessive';
