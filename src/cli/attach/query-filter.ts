/**
 * Filters a program's output on its way to a person's terminal.
 *
 * The session's own screen has already answered the program's queries. The person's terminal would
 * answer them a second time, and its answer would be typed into the program, so queries are removed.
 * The filter also tracks the modes that must be switched off when the person detaches.
 */

const CSI = '\\x1b\\[';
const ST = '(?:\\x07|\\x1b\\\\)';

/** See https://invisible-island.net/xterm/ctlseqs/ctlseqs.html; the last two are kitty's. */
const QUERIES = new RegExp(
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

/** A sequence whose end has not arrived yet. */
const UNFINISHED = /\x1b(?:\[[\x20-\x3f]*|[\]PX^_][^\x07\x1b\x18\x1a]*\x1b?|[\x20-\x2f]*)$/;
/** A longer sequence passes unfiltered: it is an image, or will never end. */
const MAX_PENDING_BYTES = 64 * 1024;

const MODE_CHANGES = /\x1b\[\?([\d;]+)([hl])/g;
const alternateModes = ['47', '1047', '1049'];

export class TerminalQueryFilter {
  isAlternate = false;
  usedKittyKeys = false;
  #pending = '';

  /** Returns what may be written to the person's terminal. */
  filter(bytes: Uint8Array | string): Buffer {
    const chunk = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
    if (this.#pending === '' && !chunk.includes(0x1b) && !chunk.includes(0x05)) return chunk;
    // As latin1 each byte is one character, so other encodings pass through unchanged.
    const all = this.#pending + chunk.toString('latin1');
    const unfinishedAt = UNFINISHED.exec(all)?.index ?? all.length;
    const end = all.length - unfinishedAt > MAX_PENDING_BYTES ? all.length : unfinishedAt;
    this.#pending = all.slice(end);
    const complete = all.slice(0, end);
    this.#trackModes(complete);
    return Buffer.from(complete.replaceAll(QUERIES, ''), 'latin1');
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
