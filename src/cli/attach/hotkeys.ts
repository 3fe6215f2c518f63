/**
 * The keys that are for us and not for the program: Ctrl-\ and one more key.
 *
 * Programs need Ctrl-\ least: it means SIGQUIT, which is better sent by name. Pressed twice, it is
 * typed once. Before any other key nothing is typed: a mistyped hotkey must not end the program.
 */

type Hotkey = 'detach' | 'keyboard' | 'status' | 'unknown';

export type PressedKeys = { bytes: Buffer } | { hotkey: Hotkey };

/** Ctrl-\ as a byte, and as the keyboard protocols of kitty and xterm encode it. */
const prefixes = ['\x1c', '\x1b[92;5u', '\x1b[27;5;92~'];

/** The key after Ctrl-\. */
const hotkeys: readonly (readonly [RegExp, Hotkey])[] = [
  [/^(?:[dD\x04]|\x1b\[100(?:;\d+)?u)/, 'detach'],
  [/^(?:[tT\x14]|\x1b\[116(?:;\d+)?u)/, 'keyboard'],
  [/^(?:[sS\x13]|\x1b\[115(?:;\d+)?u)/, 'status'],
];

export class HotkeyParser {
  #isAfterPrefix = false;

  /** The last key was Ctrl-\, and the next one decides. */
  get isAfterPrefix(): boolean {
    return this.#isAfterPrefix;
  }

  /** Splits input into hotkeys and what is for the program, in the order in which it was pressed. */
  parse(bytes: Uint8Array): PressedKeys[] {
    const pressed: PressedKeys[] = [];
    let rest = Buffer.from(bytes).toString('latin1');
    const type = (text: string) => {
      if (text !== '') pressed.push({ bytes: Buffer.from(text, 'latin1') });
    };
    while (rest !== '') {
      if (this.#isAfterPrefix) {
        this.#isAfterPrefix = false;
        const [found, hotkey] = hotkeyAtStart(rest);
        if (hotkey === undefined) type('\x1c');
        else pressed.push({ hotkey });
        rest = rest.slice(found.length);
      } else {
        const { at, length } = findPrefix(rest);
        type(rest.slice(0, at));
        this.#isAfterPrefix = length > 0;
        rest = rest.slice(at + length);
      }
    }
    return pressed;
  }
}

const findPrefix = (text: string): { at: number; length: number } => {
  const [first] = prefixes
    .map((prefix) => ({ at: text.indexOf(prefix), length: prefix.length }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at);
  return first ?? { at: text.length, length: 0 };
};

/** A second prefix is found too, but is no hotkey. */
const hotkeyAtStart = (text: string): [found: string, hotkey?: Hotkey] => {
  for (const [pattern, hotkey] of hotkeys) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return [found, hotkey];
  }
  const prefix = prefixes.find((each) => text.startsWith(each));
  return prefix === undefined ? [ONE_KEY.exec(text)?.[0] ?? '', 'unknown'] : [prefix];
};

/** An escape sequence (an arrow, a function key), Alt with a key, a character of UTF-8, or one byte. */
const ONE_KEY =
  /^(?:\x1b\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|\x1bO[\x00-\xff]|\x1b[\x20-\x7e]|[\xc0-\xff][\x80-\xbf]*|[\x00-\xff])/;
