import { describe, expect, test } from 'vitest';
import { MAX_SCROLLBACK_ROWS, openXterm } from '../../../src/screen/xterm/xterm.ts';

/** If a new version of xterm fails here, it has changed an internal that src/screen relies on. */
describe('the internals of xterm that we use', () => {
  const open = () => openXterm(10, 3);

  test('parse returns when all is parsed', () => {
    const { core, terminal } = open();
    expect(core._inputHandler.parse(Buffer.from('ab\r\ncd'))).toBeUndefined();
    expect(terminal.buffer.active.getLine(0)!.translateToString(true)).toBe('ab');
    expect(core.buffers.active).toMatchObject({
      x: 2,
      y: 1,
      ybase: 0,
      scrollTop: 0,
      scrollBottom: 2,
    });
    expect(core._inputHandler._parser.currentState).toBe(0);
    core._inputHandler.parse(Buffer.from('\x1b['));
    expect(core._inputHandler._parser.currentState).not.toBe(0);
  });

  test('every new row goes through scroll, while the row it pushes out is still there', () => {
    const { core } = open();
    const pushedOut: string[] = [];
    const scroll = core._bufferService.scroll.bind(core._bufferService);
    core._bufferService.scroll = (attributes, isWrapped) => {
      const { lines } = core.buffers.normal;
      if (lines.isFull) pushedOut.push(lines.get(0)!.translateToString(true));
      scroll(attributes, isWrapped);
    };
    const count = MAX_SCROLLBACK_ROWS + 3 + 5;
    for (let row = 0; row < count; row++) core._inputHandler.parse(Buffer.from(`${row}\r\n`));
    // The same rows leave when a margin keeps the last row of the screen in place.
    core._inputHandler.parse(Buffer.from('\x1b[1;2r\x1b[2;1H\n\n'));
    expect(pushedOut).toEqual(Array.from({ length: pushedOut.length }, (_, row) => `${row}`));
    expect(pushedOut.length).toBe(count + 1 - (MAX_SCROLLBACK_ROWS + 3) + 2);
  });

  test('rows know whether they are wrapped, and keep their identity when they move', () => {
    const { core, terminal } = open();
    core._inputHandler.parse(Buffer.from('0123456789wrapped'));
    const { lines } = core.buffers.normal;
    const first = lines.get(0)!;
    expect(lines.get(1)!.isWrapped).toBe(true);
    core._inputHandler.parse(Buffer.from('\x1b[H\x1b[L'));
    expect(lines.get(1)).toBe(first);
    core._inputHandler.parse(Buffer.from('\x1b[M\x1b[2;8H'));
    terminal.resize(5, 3);
    expect(core.buffers.normal.lines.get(0)).toBe(first);
    terminal.resize(30, 3);
    expect(core.buffers.normal.lines.get(0)).toBe(first);
    expect(first.translateToString(true)).toBe('0123456789wrapped');
  });

  test('erased cells take the colour of the cursor', () => {
    const { core } = open();
    core._inputHandler.parse(Buffer.from('\x1b[44m'));
    const row = core.buffers.normal.getBlankLine(core._inputHandler._eraseAttrData());
    expect(row.getTrimmedLength()).toBe(0);
    expect(core._inputHandler._eraseAttrData().bg).not.toBe(0);
  });

  test('modes', () => {
    const { core } = open();
    core._inputHandler.parse(
      Buffer.from('\x1b[?25l\x1b[?1003h\x1b[?1006h\x1b[?1;45;1004;2004;2026h'),
    );
    expect(core.coreService).toMatchObject({
      isCursorHidden: true,
      decPrivateModes: {
        applicationCursorKeys: true,
        bracketedPasteMode: true,
        reverseWraparound: true,
        sendFocus: true,
        synchronizedOutput: true,
      },
    });
    expect(core.coreMouseService).toMatchObject({ activeProtocol: 'ANY', activeEncoding: 'SGR' });
  });

  test('methods that count, and what a mark is joined to', () => {
    const { core } = open();
    const { _inputHandler: handler } = core;
    handler.parse(Buffer.from('a'));
    handler.print(Uint32Array.of(0x61, 0x61, 0x62), 0, 2);
    expect(core.buffers.active.lines.get(0)!.translateToString(true)).toBe('aaa');
    handler._parser.precedingJoinState = 0;
    handler.parse(Buffer.from('\u0301'));
    expect(core.buffers.active.x).toBe(4);
  });
});
