/**
 * The keys that are for us and not for the program: Ctrl-\ and one more.
 *
 * Ctrl-\ is what programs need least: it means SIGQUIT, which is better sent by name. Pressed twice
 * it is typed once.
 */

export type PressedKeys = { bytes: Buffer } | { hotkey: 'detach' | 'keyboard' };

/** As a byte, and as kitty's and xterm's own protocols code it. */
const PREFIX = ['\x1c', '\x1b[92;5u', '\x1b[27;5;92~'];

const second: readonly (readonly [RegExp, 'detach' | 'keyboard'])[] = [
  [/^(?:[dD\x04]|\x1b\[100(?:;\d+)?u)/, 'detach'],
  [/^(?:[tT\x14]|\x1b\[116(?:;\d+)?u)/, 'keyboard'],
];

export class Hotkeys {
  #isBegun = false;

  /** In the order in which it was pressed. */
  take(bytes: Uint8Array): PressedKeys[] {
    const pressed: PressedKeys[] = [];
    let rest = Buffer.from(bytes).toString('latin1');
    const type = (text: string) => {
      if (text !== '') pressed.push({ bytes: Buffer.from(text, 'latin1') });
    };
    while (rest !== '') {
      if (this.#isBegun) {
        this.#isBegun = false;
        const [found, hotkey] = secondIn(rest);
        if (hotkey !== undefined) pressed.push({ hotkey });
        // Not for us after all; and the prefix twice is the prefix.
        else type('\x1c');
        rest = rest.slice(found.length);
      } else {
        const { at, length } = prefixIn(rest);
        type(rest.slice(0, at));
        this.#isBegun = length > 0;
        rest = rest.slice(at + length);
      }
    }
    return pressed;
  }
}

const prefixIn = (text: string): { at: number; length: number } => {
  const [first] = PREFIX.map((form) => ({ at: text.indexOf(form), length: form.length }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at);
  return first ?? { at: text.length, length: 0 };
};

const secondIn = (text: string): [found: string, hotkey?: 'detach' | 'keyboard'] => {
  for (const [pattern, hotkey] of second) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return [found, hotkey];
  }
  return [PREFIX.find((form) => text.startsWith(form)) ?? ''];
};
