/**
 * A program's output on its way to a person's own terminal.
 *
 * The session's screen has answered what the program asks of its terminal. Asked again, the person's
 * terminal would answer too, and its answer would be typed into the program: so questions are taken
 * out. Whatever else is switched on is noted, to be switched off when the person leaves.
 */

const CSI = '\\x1b\\[';
const ST = '(?:\\x07|\\x1b\\\\)';

/** See https://invisible-island.net/xterm/ctlseqs/ctlseqs.html; the last two are kitty's. */
const QUESTIONS = new RegExp(
  [
    // ENQ, DECID
    '\\x05|\\x1bZ',
    // DA1, DA2, DA3; DSR and DECXCPR; DECRQM; DECREQTPARM; DECRQCRA
    `${CSI}[>=?]?[\\d;]*c|${CSI}\\??[\\d;]*n|${CSI}\\??[\\d;]*\\$p|${CSI}[\\d;]*x|${CSI}[\\d;]*\\*y`,
    // XTVERSION, XTSMGRAPHICS, sizes and titles of the window
    `${CSI}>[\\d;]*q|${CSI}\\?[\\d;]*S|${CSI}(?:1[1345689]|2[01])(?:;[\\d;]*)?t`,
    // DECRQSS, XTGETTCAP
    '\\x1bP[+$]q[^\\x1b]*\\x1b\\\\',
    // Colours, the clipboard
    `\\x1b\\](?:4|5|1\\d|21|52);[^\\x07\\x1b]*\\?[^\\x07\\x1b]*${ST}`,
    // Which keyboard flags are on; whether images can be shown
    `${CSI}\\?u|\\x1b_G[^\\x1b]*a=q[^\\x1b]*\\x1b\\\\`,
  ].join('|'),
  'g',
);

/** A sequence that has begun and not ended. */
const UNFINISHED = /\x1b(?:\[[\x20-\x3f]*|[\]PX^_][^\x07\x1b\x18\x1a]*\x1b?|[\x20-\x2f]*)$/;
/** One that never ends is let go: an image, say, or nonsense. */
const LONGEST_HELD = 64 * 1024;

const SWITCHES = /\x1b\[\?([\d;]+)([hl])/g;
const alternateModes = ['47', '1047', '1049'];

export class QueryFilter {
  isAlternate = false;
  usedKittyKeys = false;
  #held = '';

  /** What may be written to the person's terminal. */
  filter(bytes: Uint8Array | string): Buffer {
    const arrived = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
    if (this.#held === '' && !arrived.includes(0x1b) && !arrived.includes(0x05)) return arrived;
    // Byte for byte: what is not ASCII passes through as it came.
    const all = this.#held + arrived.toString('latin1');
    const at = UNFINISHED.exec(all)?.index ?? all.length;
    const end = all.length - at > LONGEST_HELD ? all.length : at;
    this.#held = all.slice(end);
    const complete = all.slice(0, end);
    this.#note(complete);
    return Buffer.from(complete.replaceAll(QUESTIONS, ''), 'latin1');
  }

  #note(output: string): void {
    for (const [, modes = '', onOff] of output.matchAll(SWITCHES)) {
      if (modes.split(';').some((mode) => alternateModes.includes(mode)))
        this.isAlternate = onOff === 'h';
    }
    if (/\x1b\[[>=][\d;]*u/.test(output)) this.usedKittyKeys = true;
    // RIS
    if (output.includes('\x1bc')) this.isAlternate = false;
  }
}
