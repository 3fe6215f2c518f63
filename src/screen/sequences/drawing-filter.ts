/**
 * Filters a program's output on its way to a person's terminal: what draws passes, the rest does not.
 *
 * A program that an agent has started must not read or set the person's clipboard, move the window, print,
 * send files or redefine keys. And the session's own screen has already answered its queries: a second
 * answer would be typed into the program. The filter also tracks the modes that must be switched off when
 * the person detaches.
 */

/** See https://invisible-island.net/xterm/ctlseqs/ctlseqs.html. */
const SEQUENCE =
  /\x1b(?:\[([<-?]?)([\d;:]*)([\x20-\x2f]*)([\x40-\x7e])|([\]PX^_])([^\x07\x1b\x18\x1a]*)(?:\x07|\x1b\\|[\x18\x1a])|([\x20-\x2f]*)([\x30-\x7e]))|\x05/g;

/** A sequence whose end has not arrived yet, or the first byte of a control character in UTF-8. */
const UNFINISHED =
  /(?:\x1b(?:\[[\x20-\x3f]*|[\]PX^_][^\x07\x1b\x18\x1a]*\x1b?|[\x20-\x2f]*)|\xc2)$/;
/** Larger than any image that is sent in one piece. A longer string is dropped up to its end. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024;
const STRING_END = /[\x07\x18\x1a]|\x1b\\?/;

/** ESC [, by what stands before and after its numbers: the last characters of those that draw. */
const CSI: Readonly<Record<string, string>> = {
  '': '@ABCDEFGHIJKLMPSTXZ`abdefghlmrsu',
  // Modes, selective erasing.
  '?': 'hlJKrs',
  // Keys: modifyOtherKeys, kitty's flags. They are switched off at the end.
  '>': 'mu',
  '<': 'u',
  '=': 'u',
  // The shape of the cursor, scrolling sideways; a soft reset; protected cells; columns; rectangles.
  ' ': '@Aq',
  '!': 'p',
  '"': 'q',
  "'": '}~',
  $: 'rtvxz{',
};
/** 80 or 132 columns: the size of the window is the person's. */
const WIDTH_MODES = /(?:^|;)0*(?:3|40)(?:;|$)/;
/** The only operations on the window: to push its title and to pop it. */
const TITLE_STACK = /^2[23](?:;|$)/;
/** After ESC and what stands before them: cursor, tabs, reset, keypad, charsets, double size. */
const ESCAPES: Readonly<Record<string, string>> = { '': '78DEHMc=>no|}~\\', '#': '34568' };
const CHARSETS = /^[()*+\-./]$/;
/** Titles, colours without a query, links. */
const OSC = /^(?:[012];|(?:4|5|1[0-9]|21);[^?]*$|1(?:0[45]|1[0-9])(?:;|$)|8;)/;
const CLIPBOARD = /^52;[^?]*$/;
/** Sixel images. */
const DCS = /^[\d;]*q/;
/** kitty's images, with their data in the sequence itself and not in a file, and no query. */
const APC = /^G(?!(?:[^;]*,)?(?:t=[^d]|a=q))/;

const MODE_CHANGES = /\x1b\[\?([\d;]+)([hl])/g;
const alternateModes = ['47', '1047', '1049'];

export class DrawingFilter {
  isAlternate = false;
  usedKittyKeys = false;
  #pending = '';
  #isDropping = false;
  readonly #mayCopy: boolean;

  /** `mayCopy`: the program may set the clipboard. */
  constructor({ mayCopy = false }: { mayCopy?: boolean | undefined } = {}) {
    this.#mayCopy = mayCopy;
  }

  /** Returns what may be written to the person's terminal. */
  filter(bytes: Uint8Array | string): Buffer {
    const chunk = Buffer.from(bytes);
    const isPlain = !chunk.includes(0x1b) && !chunk.includes(0x05) && !chunk.includes(0xc2);
    if (this.#pending === '' && !this.#isDropping && isPlain) return chunk;
    // As latin1 each byte is one character, so other encodings pass through unchanged.
    const all = this.#withoutDropped(withEscapes(this.#pending + chunk.toString('latin1')));
    const end = UNFINISHED.exec(all)?.index ?? all.length;
    this.#isDropping ||= all.length - end > MAX_PENDING_BYTES;
    this.#pending = this.#isDropping ? '' : all.slice(end);
    const drawn = all
      .slice(0, end)
      .replaceAll(SEQUENCE, (sequence, ...parts) => (this.#draws(parts) ? sequence : ''));
    this.#trackModes(drawn);
    return Buffer.from(drawn, 'latin1');
  }

  #withoutDropped(all: string): string {
    if (!this.#isDropping) return all;
    const end = STRING_END.exec(all);
    if (end === null) return '';
    this.#isDropping = false;
    return all.slice(end.index + end[0].length);
  }

  #draws([before, numbers, after, last, kind, text, intermediate, final]: string[]): boolean {
    if (last !== undefined) {
      if (last === 't' && before === '' && after === '') return TITLE_STACK.test(numbers!);
      if (before === '?' && /[hl]/.test(last) && WIDTH_MODES.test(numbers!)) return false;
      return CSI[`${before}${after}`]?.includes(last) === true;
    }
    if (kind === ']') return OSC.test(text!) || (this.#mayCopy && CLIPBOARD.test(text!));
    if (kind === 'P') return DCS.test(text!);
    if (kind === '_') return APC.test(text!);
    if (final === undefined) return false;
    return CHARSETS.test(intermediate!) || ESCAPES[intermediate!]?.includes(final) === true;
  }

  #trackModes(output: string): void {
    for (const [, modes = '', onOff] of output.matchAll(MODE_CHANGES)) {
      if (modes.split(';').some((mode) => alternateModes.includes(mode)))
        this.isAlternate = onOff === 'h';
    }
    if (/\x1b\[[>=][\d;]*u/.test(output)) this.usedKittyKeys = true;
    // RIS
    if (output.includes('\x1bc')) this.isAlternate = false;
  }
}

/** U+009B is the same as ESC [, and so on. */
const withEscapes = (output: string): string =>
  output.replaceAll(
    /\xc2([\x80-\x9f])/g,
    (_, control: string) => `\x1b${String.fromCharCode(control.charCodeAt(0) - 0x40)}`,
  );
