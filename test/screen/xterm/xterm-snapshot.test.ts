import { expect, test } from 'vitest';
import { openXterm, type Xterm } from '../../../src/screen/xterm/xterm.ts';
import { restoreXterm, snapshotXterm } from '../../../src/screen/xterm/xterm-snapshot.ts';

/** Listeners, caches, and what only a display needs. */
const NOT_STATE =
  /^_?on[A-Z]|Emitter$|^_store$|^_register|^_disposables?$|[Hh]andlers?|[Cc]leanup|[Ss]ervice$|options|^_dirtyRowTracker$|^_parseBuffer$|^_writeBuffer$|^_nullCell$|^_whitespaceCell$|^_array$|^_startIndex$|^_transitions$|^_params$|^_eraseAttrDataInternal$|^_serializer|^_stack$|^_parseStack$|^_cached|^_joinState$/;
const services = /^(coreService|coreMouseService|_charsetService|_bufferService|unicodeService)$/;

/** Every value that the emulator holds, by its path: a field that a new version adds is among them. */
const everythingIn = ({ core }: Xterm) => {
  const values: Record<string, unknown> = {};
  const walk = (value: unknown, path: string, above: readonly unknown[] = []) => {
    if (typeof value === 'function') return;
    if (ArrayBuffer.isView(value)) values[path] = [...(value as Uint32Array)].join();
    else if (typeof value !== 'object' || value === null) values[path] = value;
    else if (!above.includes(value)) {
      for (const [key, inner] of Object.entries(value)) {
        const isState = !NOT_STATE.test(key) || (path === '' && services.test(key));
        if (isState) walk(inner, `${path}.${key}`, [...above, value]);
      }
    }
  };
  walk(core, '');
  for (const name of ['normal', 'alt'] as const) {
    const { lines } = core.buffers[name];
    for (let at = 0; at < lines.length; at++) walk(lines.get(at), `${name}.${at}`);
  }
  return values;
};

const outputs = [
  'plain\r\n\x1b[31;1;4:3;58;5;9mstyled\x1b[m cafe\u0301 \u{1f469}\u200d\u{1f52c}',
  `${'long line '.repeat(30)}\r\n`.repeat(60),
  '\x1b[?1049h\x1b[?1h\x1b[?25l\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[?1004h\x1b=\x1b[4hin vim',
  '\x1b(0\x1b)0\x0elqk\x1b7\x1b[3;5r\x1b[?6h\x1b[?7l\x1b[?45h\x1b[3g\x1b[5G\x1bH',
  '\x1b]2;title\x07\x1b[22t\x1b]1;icon\x07\x1b[22;1t\x1b[5 q\x1b[?2026h',
];

test('an emulator is restored in every value that it holds', () => {
  const original = openXterm(40, 10);
  const fresh = everythingIn(openXterm(40, 10));
  const changed = new Set<string>();
  for (const output of outputs) {
    original.core._inputHandler.parse(Buffer.from(output));
    const copy = openXterm(40, 10);
    restoreXterm(copy, structuredClone(snapshotXterm(original)));
    const all = everythingIn(original);
    expect(everythingIn(copy)).toEqual(all);
    for (const [path, value] of Object.entries(all)) if (value !== fresh[path]) changed.add(path);
  }
  // The test compares something: cells, cursors, modes, charsets, titles.
  expect(
    [...changed].filter((path) => !/^(normal|alt)\./.test(path)).sort(),
  ).toMatchInlineSnapshot(`
    [
      "._bufferService.buffers._activeBuffer._hasScrollback",
      "._bufferService.buffers._activeBuffer.lines._length",
      "._bufferService.buffers._activeBuffer.lines._maxLength",
      "._bufferService.buffers._activeBuffer.savedCharset.\`",
      "._bufferService.buffers._activeBuffer.savedCharset.a",
      "._bufferService.buffers._activeBuffer.savedCharset.b",
      "._bufferService.buffers._activeBuffer.savedCharset.c",
      "._bufferService.buffers._activeBuffer.savedCharset.d",
      "._bufferService.buffers._activeBuffer.savedCharset.e",
      "._bufferService.buffers._activeBuffer.savedCharset.f",
      "._bufferService.buffers._activeBuffer.savedCharset.g",
      "._bufferService.buffers._activeBuffer.savedCharset.h",
      "._bufferService.buffers._activeBuffer.savedCharset.i",
      "._bufferService.buffers._activeBuffer.savedCharset.j",
      "._bufferService.buffers._activeBuffer.savedCharset.k",
      "._bufferService.buffers._activeBuffer.savedCharset.l",
      "._bufferService.buffers._activeBuffer.savedCharset.m",
      "._bufferService.buffers._activeBuffer.savedCharset.n",
      "._bufferService.buffers._activeBuffer.savedCharset.o",
      "._bufferService.buffers._activeBuffer.savedCharset.p",
      "._bufferService.buffers._activeBuffer.savedCharset.q",
      "._bufferService.buffers._activeBuffer.savedCharset.r",
      "._bufferService.buffers._activeBuffer.savedCharset.s",
      "._bufferService.buffers._activeBuffer.savedCharset.t",
      "._bufferService.buffers._activeBuffer.savedCharset.u",
      "._bufferService.buffers._activeBuffer.savedCharset.v",
      "._bufferService.buffers._activeBuffer.savedCharset.w",
      "._bufferService.buffers._activeBuffer.savedCharset.x",
      "._bufferService.buffers._activeBuffer.savedCharset.y",
      "._bufferService.buffers._activeBuffer.savedCharset.z",
      "._bufferService.buffers._activeBuffer.savedCharset.{",
      "._bufferService.buffers._activeBuffer.savedCharset.|",
      "._bufferService.buffers._activeBuffer.savedCharset.}",
      "._bufferService.buffers._activeBuffer.savedCharset.~",
      "._bufferService.buffers._activeBuffer.savedX",
      "._bufferService.buffers._activeBuffer.savedY",
      "._bufferService.buffers._activeBuffer.scrollBottom",
      "._bufferService.buffers._activeBuffer.scrollTop",
      "._bufferService.buffers._activeBuffer.tabs.4",
      "._bufferService.buffers._activeBuffer.x",
      "._bufferService.buffers._activeBuffer.y",
      "._bufferService.buffers._activeBuffer.ybase",
      "._bufferService.buffers._activeBuffer.ydisp",
      "._bufferService.buffers._alt.lines._length",
      "._bufferService.buffers._alt.savedCharset.\`",
      "._bufferService.buffers._alt.savedCharset.a",
      "._bufferService.buffers._alt.savedCharset.b",
      "._bufferService.buffers._alt.savedCharset.c",
      "._bufferService.buffers._alt.savedCharset.d",
      "._bufferService.buffers._alt.savedCharset.e",
      "._bufferService.buffers._alt.savedCharset.f",
      "._bufferService.buffers._alt.savedCharset.g",
      "._bufferService.buffers._alt.savedCharset.h",
      "._bufferService.buffers._alt.savedCharset.i",
      "._bufferService.buffers._alt.savedCharset.j",
      "._bufferService.buffers._alt.savedCharset.k",
      "._bufferService.buffers._alt.savedCharset.l",
      "._bufferService.buffers._alt.savedCharset.m",
      "._bufferService.buffers._alt.savedCharset.n",
      "._bufferService.buffers._alt.savedCharset.o",
      "._bufferService.buffers._alt.savedCharset.p",
      "._bufferService.buffers._alt.savedCharset.q",
      "._bufferService.buffers._alt.savedCharset.r",
      "._bufferService.buffers._alt.savedCharset.s",
      "._bufferService.buffers._alt.savedCharset.t",
      "._bufferService.buffers._alt.savedCharset.u",
      "._bufferService.buffers._alt.savedCharset.v",
      "._bufferService.buffers._alt.savedCharset.w",
      "._bufferService.buffers._alt.savedCharset.x",
      "._bufferService.buffers._alt.savedCharset.y",
      "._bufferService.buffers._alt.savedCharset.z",
      "._bufferService.buffers._alt.savedCharset.{",
      "._bufferService.buffers._alt.savedCharset.|",
      "._bufferService.buffers._alt.savedCharset.}",
      "._bufferService.buffers._alt.savedCharset.~",
      "._bufferService.buffers._alt.savedX",
      "._bufferService.buffers._alt.savedY",
      "._bufferService.buffers._alt.scrollBottom",
      "._bufferService.buffers._alt.scrollTop",
      "._bufferService.buffers._alt.tabs.4",
      "._bufferService.buffers._alt.x",
      "._bufferService.buffers._alt.y",
      "._bufferService.buffers._normal.lines._length",
      "._bufferService.buffers._normal.savedY",
      "._bufferService.buffers._normal.x",
      "._bufferService.buffers._normal.y",
      "._bufferService.buffers._normal.ybase",
      "._bufferService.buffers._normal.ydisp",
      "._charsetService._charsets.0.\`",
      "._charsetService._charsets.0.a",
      "._charsetService._charsets.0.b",
      "._charsetService._charsets.0.c",
      "._charsetService._charsets.0.d",
      "._charsetService._charsets.0.e",
      "._charsetService._charsets.0.f",
      "._charsetService._charsets.0.g",
      "._charsetService._charsets.0.h",
      "._charsetService._charsets.0.i",
      "._charsetService._charsets.0.j",
      "._charsetService._charsets.0.k",
      "._charsetService._charsets.0.l",
      "._charsetService._charsets.0.m",
      "._charsetService._charsets.0.n",
      "._charsetService._charsets.0.o",
      "._charsetService._charsets.0.p",
      "._charsetService._charsets.0.q",
      "._charsetService._charsets.0.r",
      "._charsetService._charsets.0.s",
      "._charsetService._charsets.0.t",
      "._charsetService._charsets.0.u",
      "._charsetService._charsets.0.v",
      "._charsetService._charsets.0.w",
      "._charsetService._charsets.0.x",
      "._charsetService._charsets.0.y",
      "._charsetService._charsets.0.z",
      "._charsetService._charsets.0.{",
      "._charsetService._charsets.0.|",
      "._charsetService._charsets.0.}",
      "._charsetService._charsets.0.~",
      "._charsetService._charsets.1.\`",
      "._charsetService._charsets.1.a",
      "._charsetService._charsets.1.b",
      "._charsetService._charsets.1.c",
      "._charsetService._charsets.1.d",
      "._charsetService._charsets.1.e",
      "._charsetService._charsets.1.f",
      "._charsetService._charsets.1.g",
      "._charsetService._charsets.1.h",
      "._charsetService._charsets.1.i",
      "._charsetService._charsets.1.j",
      "._charsetService._charsets.1.k",
      "._charsetService._charsets.1.l",
      "._charsetService._charsets.1.m",
      "._charsetService._charsets.1.n",
      "._charsetService._charsets.1.o",
      "._charsetService._charsets.1.p",
      "._charsetService._charsets.1.q",
      "._charsetService._charsets.1.r",
      "._charsetService._charsets.1.s",
      "._charsetService._charsets.1.t",
      "._charsetService._charsets.1.u",
      "._charsetService._charsets.1.v",
      "._charsetService._charsets.1.w",
      "._charsetService._charsets.1.x",
      "._charsetService._charsets.1.y",
      "._charsetService._charsets.1.z",
      "._charsetService._charsets.1.{",
      "._charsetService._charsets.1.|",
      "._charsetService._charsets.1.}",
      "._charsetService._charsets.1.~",
      "._charsetService.charset.\`",
      "._charsetService.charset.a",
      "._charsetService.charset.b",
      "._charsetService.charset.c",
      "._charsetService.charset.d",
      "._charsetService.charset.e",
      "._charsetService.charset.f",
      "._charsetService.charset.g",
      "._charsetService.charset.h",
      "._charsetService.charset.i",
      "._charsetService.charset.j",
      "._charsetService.charset.k",
      "._charsetService.charset.l",
      "._charsetService.charset.m",
      "._charsetService.charset.n",
      "._charsetService.charset.o",
      "._charsetService.charset.p",
      "._charsetService.charset.q",
      "._charsetService.charset.r",
      "._charsetService.charset.s",
      "._charsetService.charset.t",
      "._charsetService.charset.u",
      "._charsetService.charset.v",
      "._charsetService.charset.w",
      "._charsetService.charset.x",
      "._charsetService.charset.y",
      "._charsetService.charset.z",
      "._charsetService.charset.{",
      "._charsetService.charset.|",
      "._charsetService.charset.}",
      "._charsetService.charset.~",
      "._charsetService.glevel",
      ".coreMouseService._activeEncoding",
      ".coreMouseService._activeProtocol",
      ".coreService.decPrivateModes.applicationCursorKeys",
      ".coreService.decPrivateModes.applicationKeypad",
      ".coreService.decPrivateModes.bracketedPasteMode",
      ".coreService.decPrivateModes.cursorBlink",
      ".coreService.decPrivateModes.cursorStyle",
      ".coreService.decPrivateModes.origin",
      ".coreService.decPrivateModes.reverseWraparound",
      ".coreService.decPrivateModes.sendFocus",
      ".coreService.decPrivateModes.synchronizedOutput",
      ".coreService.decPrivateModes.wraparound",
      ".coreService.isCursorHidden",
      ".coreService.isCursorInitialized",
      ".coreService.modes.insertMode",
    ]
  `);
});
