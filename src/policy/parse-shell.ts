/**
 * Takes a shell's command line apart: words without their quotes, pipelines, substitutions, here-documents.
 *
 * It is made for rules, not to run anything: where shells differ, or where only the shell can know, the word
 * is marked as unknown. What a variable holds is known if the same text has set it.
 */
import type { ShellScript, SimpleCommand, Word } from './shell-script.ts';

/** Deeper nesting is nobody's command line. */
const MAX_DEPTH = 20;
/** `{a,b}{c,d}…` grows fast. */
const MAX_BRACE_WORDS = 64;

/** They stand before a command, and are none. */
const RESERVED = new Set(
  '! { } if then elif else fi while until do done esac time coproc function [['.split(' '),
);
/** They set variables by their arguments. */
const DECLARES = new Set(['export', 'declare', 'local', 'readonly', 'typeset', 'set']);

type Variables = Map<string, string | undefined>;

export const parseShell = (text: string): ShellScript => new ShellReader(text, new Map(), 0).read();

/** A word while it is read. Braces make several of one. */
class WordInProgress {
  texts: string[] = [''];
  unknownUntil = 0;
  /** Some of it is quoted: it is no reserved word. */
  isQuoted = false;

  add(text: string): void {
    this.texts = this.texts.map((each) => each + text);
  }

  addUnknown(text: string): void {
    this.add(text);
    this.unknownUntil = Math.max(...this.texts.map((each) => each.length));
  }

  addOneOf(choices: readonly string[]): void {
    const texts = this.texts.flatMap((each) => choices.map((choice) => each + choice));
    if (texts.length > MAX_BRACE_WORDS) this.addUnknown(`{${choices.join(',')}}`);
    else this.texts = texts;
  }

  get words(): Word[] {
    return this.texts.map((text) => ({ text, unknownUntil: this.unknownUntil }));
  }
}

interface HereDocument {
  command: SimpleCommand;
  end: string;
  /** `<<-`: tabs before each line are dropped. */
  dropsTabs: boolean;
}

class ShellReader {
  readonly #text: string;
  readonly #variables: Variables;
  readonly #depth: number;
  readonly #pipelines: SimpleCommand[][] = [];
  #hereDocuments: HereDocument[] = [];
  #at = 0;
  #isUnfinished = false;
  #usesHistory = false;

  constructor(text: string, variables: Variables, depth: number) {
    this.#text = text;
    this.#variables = variables;
    this.#depth = depth;
  }

  read(): ShellScript {
    while (this.#at < this.#text.length) {
      this.#readList(0);
      // A parenthesis that closes nothing.
      this.#at++;
    }
    return {
      pipelines: this.#pipelines,
      isUnfinished: this.#isUnfinished || this.#hereDocuments.length > 0,
      usesHistory: this.#usesHistory,
    };
  }

  #peek(length = 1): string {
    return this.#text.slice(this.#at, this.#at + length);
  }

  /** What matches from here, which is then read. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  /** Commands, up to a closing parenthesis. */
  #readList(depth: number): void {
    let pipeline: SimpleCommand[] = [];
    let command = newCommand();
    const endCommand = () => {
      this.#noteVariables(command);
      if (command.words.length > 0 || command.redirections.length > 0) pipeline.push(command);
      command = newCommand();
    };
    const endPipeline = () => {
      endCommand();
      if (pipeline.length > 0) this.#pipelines.push(pipeline);
      pipeline = [];
    };
    while (this.#at < this.#text.length) {
      if (this.#take(/[^\S\n]+|\\\r?\n/y)) continue;
      if (this.#peek() === ')') break;
      if (this.#take(/\n/y)) {
        endPipeline();
        this.#readHereDocuments();
      } else if (this.#take(/#[^\n]*/y)) continue;
      else if (this.#take(/&&|\|\||;;?&?|&(?!>)/y)) endPipeline();
      else if (this.#take(/\{(?=\s)/y)) endPipeline();
      else if (this.#take(/\|&?/y)) endCommand();
      else if (this.#take(/\(/y)) {
        endPipeline();
        this.#readNested(depth);
      } else if (!this.#readRedirection(command, depth)) this.#addWord(command, depth);
    }
    endPipeline();
    if (depth === 0) this.#readHereDocuments();
  }

  #readNested(depth: number): void {
    if (depth + this.#depth > MAX_DEPTH) return;
    this.#readList(depth + 1);
    if (this.#peek() === ')') this.#at++;
    else this.#isUnfinished = true;
  }

  #addWord(command: SimpleCommand, depth: number): void {
    const word = this.#readWord(depth);
    for (const { text, unknownUntil } of word.words.flatMap(splitIntoFields)) {
      const isFirst = command.words.length === 0;
      if (isFirst && !word.isQuoted && RESERVED.has(text)) continue;
      command.words.push({ text, unknownUntil });
    }
  }

  /** Assignments alone set variables; before a program they are only its environment. */
  #noteVariables(command: SimpleCommand): void {
    const first = command.words.findIndex(({ text }) => !ASSIGNMENT.test(text));
    const isAlone = first === -1;
    const assignments = isAlone ? command.words : command.words.slice(0, first);
    if (isAlone) for (const word of assignments) this.#setVariable(word);
    command.words = isAlone ? [] : command.words.slice(first);
    const [program, ...rest] = command.words;
    if (DECLARES.has(program?.text ?? '')) for (const word of rest) this.#setVariable(word);
    // The value is set later, by what is read or counted.
    if (['read', 'for', 'select', 'mapfile'].includes(program?.text ?? ''))
      for (const { text } of rest) this.#variables.set(text, undefined);
  }

  #setVariable({ text, unknownUntil }: Word): void {
    const [, name, value] = ASSIGNMENT.exec(text) ?? [];
    if (name !== undefined) this.#variables.set(name, unknownUntil > 0 ? undefined : value);
  }

  #readRedirection(command: SimpleCommand, depth: number): boolean {
    const found = this.#take(/(?:\d+|&)?(<<<|<<-|<<|<>|<\(|>\(|>>|>\||>&|<&|>|<)/y);
    if (found === null) return false;
    const operator = found[1]!;
    if (operator.endsWith('(')) {
      this.#readNested(depth);
      command.words.push({ text: `${operator})`, unknownUntil: 3 });
      return true;
    }
    this.#take(/[ \t]+/y);
    const word = this.#readWord(depth);
    const text = word.texts.join(' ').replaceAll(FIELD_BREAK, ' ');
    if (operator === '<<<') command.hereDocument = text;
    else if (operator === '<<' || operator === '<<-')
      this.#hereDocuments.push({ command, end: text, dropsTabs: operator === '<<-' });
    else command.redirections.push(`${operator} ${text}`);
    return true;
  }

  #readHereDocuments(): void {
    const waiting = this.#hereDocuments;
    this.#hereDocuments = [];
    for (const { command, end, dropsTabs } of waiting) {
      const lines: string[] = [];
      let isEnded = false;
      while (this.#at < this.#text.length && !isEnded) {
        const [line] = this.#take(/[^\n]*\n?/y)!;
        const plain = (dropsTabs ? line.replace(/^\t+/, '') : line).replace(/\r?\n$/, '');
        isEnded = plain === end;
        if (!isEnded) lines.push(plain);
      }
      command.hereDocument = lines.join('\n');
      this.#isUnfinished ||= !isEnded;
    }
  }

  #readWord(depth: number): WordInProgress {
    const word = new WordInProgress();
    while (this.#at < this.#text.length) {
      const [plain] = this.#take(/[^\s'"\\$`{*?[!|&;()<>]+/y) ?? [];
      if (plain !== undefined) word.add(plain);
      else if (this.#take(/\\\r?\n/y)) continue;
      else if (this.#peek() === '\\') {
        if (this.#at + 1 >= this.#text.length) this.#isUnfinished = true;
        word.isQuoted = true;
        word.add(this.#text[this.#at + 1] ?? '');
        this.#at += 2;
      } else if (this.#peek() === "'") this.#readSingleQuotes(word);
      else if (this.#peek(2) === "$'") this.#readAnsiQuotes(word);
      else if (this.#take(/\$?"/y)) this.#readDoubleQuotes(word, depth);
      else if (this.#peek() === '$' || this.#peek() === '`') this.#expand(word, depth, false);
      else if (this.#peek() === '{') this.#readBraces(word);
      else if (this.#take(/[*?[]/y)) word.addUnknown(this.#text[this.#at - 1]!);
      else if (this.#peek() === '!') {
        this.#noteHistory();
        word.add('!');
        this.#at++;
      } else break;
    }
    return word;
  }

  /** bash and zsh put an earlier command here, except before a blank, `=` and `(`. */
  #noteHistory(): void {
    if (!/^![\s=(]|^!$/.test(this.#peek(2))) this.#usesHistory = true;
  }

  #readSingleQuotes(word: WordInProgress): void {
    const found = this.#take(/'([^']*)('?)/y)!;
    word.isQuoted = true;
    word.add(found[1]!);
    if (found[2] === '') this.#isUnfinished = true;
  }

  #readAnsiQuotes(word: WordInProgress): void {
    const found = this.#take(/\$'((?:[^'\\]|\\[\s\S])*)('?)/y)!;
    word.isQuoted = true;
    word.add(decodeAnsi(found[1]!));
    if (found[2] === '') this.#isUnfinished = true;
  }

  #readDoubleQuotes(word: WordInProgress, depth: number): void {
    word.isQuoted = true;
    word.add('');
    while (this.#at < this.#text.length) {
      const [plain] = this.#take(/[^"\\$`!]+/y) ?? [];
      if (plain !== undefined) word.add(plain);
      else if (this.#take(/"/y)) return;
      else if (this.#take(/\\\r?\n/y)) continue;
      else if (this.#peek() === '\\') {
        const next = this.#text[this.#at + 1] ?? '';
        word.add('"\\$`'.includes(next) ? next : `\\${next}`);
        this.#at += 2;
      } else if (this.#peek() === '!') {
        this.#noteHistory();
        word.add('!');
        this.#at++;
      } else this.#expand(word, depth, true);
    }
    this.#isUnfinished = true;
  }

  #expand(word: WordInProgress, depth: number, isQuoted: boolean): void {
    const start = this.#at;
    if (this.#take(/`/y)) {
      const [, inner = '', end] = this.#take(/((?:[^`\\]|\\[\s\S])*)(`?)/y)!;
      if (end === '') this.#isUnfinished = true;
      this.#readInner(inner.replaceAll(/\\([`\\$])/g, '$1'));
      word.addUnknown(this.#text.slice(start, this.#at));
      return;
    }
    const arithmetic = this.#take(/\$\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)/y);
    if (arithmetic) word.addUnknown(arithmetic[0]);
    else if (this.#take(/\$\(/y)) {
      this.#readNested(depth);
      word.addUnknown(this.#text.slice(start, this.#at));
    } else {
      const found = this.#take(/\$(?:(\w+|[@*#?$!-])|\{(\w+)\}|\{[^}]*\}?)/y);
      const name = found?.[1] ?? found?.[2];
      if (found === null) {
        word.add('$');
        this.#at++;
      } else this.#addVariable(word, found[0], name, isQuoted);
      if (found?.[0].startsWith('${') && name === undefined) this.#readInside(found[0]);
    }
  }

  #addVariable(
    word: WordInProgress,
    source: string,
    name: string | undefined,
    isQuoted: boolean,
  ): void {
    if (name === 'IFS' && !isQuoted && !this.#variables.has(name)) {
      word.add(FIELD_BREAK);
      return;
    }
    const value = name === undefined ? undefined : this.#variables.get(name);
    if (value === undefined) word.addUnknown(source);
    else word.add(isQuoted ? value : value.replaceAll(/\s+/g, FIELD_BREAK));
  }

  /** Commands inside `${x:-$(…)}`. */
  #readInside(source: string): void {
    for (const [, inner = ''] of source.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g))
      this.#readInner(inner);
  }

  #readInner(text: string): void {
    if (this.#depth >= MAX_DEPTH) return;
    const inner = new ShellReader(text, this.#variables, this.#depth + 1).read();
    this.#pipelines.push(...inner.pipelines);
    this.#usesHistory ||= inner.usesHistory;
  }

  #readBraces(word: WordInProgress): void {
    const found = this.#take(/\{([^{}\s'"$`\\,]*(?:,[^{}\s'"$`\\,]*)+)\}/y);
    if (found) word.addOneOf(found[1]!.split(','));
    else {
      word.add('{');
      this.#at++;
    }
  }
}

/** A blank of a value: the shell makes several words of it. */
const FIELD_BREAK = '\u0000';

const splitIntoFields = (word: Word): Word[] => {
  if (!word.text.includes(FIELD_BREAK)) return [word];
  const fields = word.text.split(FIELD_BREAK).filter((field) => field !== '');
  // In which of them the unknown part stands is not known either.
  return fields.map((text) => ({ text, unknownUntil: word.unknownUntil > 0 ? text.length : 0 }));
};

const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/;

const newCommand = (): SimpleCommand => ({ words: [], redirections: [] });

const ANSI: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

/** The escapes of `$'…'`. */
export const decodeAnsi = (text: string): string =>
  text.replaceAll(
    /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g,
    (_all, hex, short, long, octal, letter) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined) return fromCode(Number.parseInt(digits, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8));
      return ANSI[letter] ?? letter;
    },
  );

const fromCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');
