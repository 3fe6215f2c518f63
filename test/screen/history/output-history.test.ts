import { describe, expect, test } from 'vitest';
import { OutputHistory } from '../../../src/screen/history/output-history.ts';

const KB = 1024;

const fill = (history: OutputHistory, bytes: number, text = 'x') => {
  const part = Buffer.from(`${text.repeat(62)}\r\n`);
  for (let at = 0; at < bytes; at += part.length) {
    history.bytes.append(part, 1, Number.POSITIVE_INFINITY);
  }
};

const kept = (history: OutputHistory, from = 0) => history.bytes.pieces(from);

describe('bytes', () => {
  test('are found by the position they had from the start', () => {
    const history = new OutputHistory();
    history.bytes.append(Buffer.from('hello '), 0, 0);
    history.bytes.append(Buffer.from('world'), 0, 0);
    const [piece] = kept(history, 6);
    expect(Buffer.from(piece!.bytes).toString()).toBe('world');
    expect(piece!.lost).toEqual({ bytes: 0, lines: 0 });
  });

  test('beyond the bound the oldest go, and are counted', () => {
    const history = new OutputHistory({ maxBytes: 256 * KB });
    fill(history, 1000 * KB);
    const pieces = kept(history);
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0);
    expect(history.bytes.size).toBe(bytes);
    expect(bytes).toBeLessThanOrEqual(256 * KB);
    expect(pieces[0]!.lost.bytes + bytes).toBe(history.bytes.end);
    expect(pieces[0]!.lost.lines).toBe(pieces[0]!.lost.bytes / 64);
  });

  test('what follows a reader outlives a flood, as does the end', () => {
    const history = new OutputHistory({ maxBytes: 512 * KB, headBytes: 32 * KB });
    fill(history, 100 * KB, 'a');
    history.readers.add({ position: history.bytes.end });
    const { end } = history.bytes;
    fill(history, 2000 * KB, 'b');
    const pieces = kept(history, end);
    expect(pieces[0]!.position).toBe(end);
    expect(pieces[0]!.lost.bytes).toBe(0);
    const gap = pieces.find(({ lost }) => lost.bytes > 0)!;
    expect(gap.position - gap.lost.bytes).toBeGreaterThanOrEqual(end + 32 * KB);
    expect(gap.lost.lines).toBeGreaterThan(10_000);
    const total = pieces.reduce((sum, { bytes, lost }) => sum + bytes.length + lost.bytes, 0);
    expect(end + total).toBe(history.bytes.end);
    expect(history.bytes.size).toBeLessThanOrEqual(512 * KB);
  });

  test('many readers cannot keep more than the bound', () => {
    const history = new OutputHistory({ maxBytes: 256 * KB, headBytes: 64 * KB });
    for (let reader = 0; reader < 100; reader++) {
      history.readers.add({ position: history.bytes.end });
      fill(history, 50 * KB);
    }
    expect(history.bytes.size).toBeLessThanOrEqual(256 * KB);
    expect(kept(history, history.bytes.end - 50 * KB)[0]!.lost.bytes).toBe(0);
  });

  test('a range that is gone altogether is counted as lost', () => {
    const history = new OutputHistory({ maxBytes: 128 * KB });
    fill(history, 1000 * KB);
    expect(history.bytes.pieces(0, 6400)).toMatchObject([{ lost: { bytes: 6400 } }]);
  });

  test('a quiet session takes little', () => {
    const history = new OutputHistory();
    history.bytes.append(Buffer.from('$ '), 0, 0);
    expect(kept(history)[0]!.bytes.buffer.byteLength).toBeLessThanOrEqual(4 * KB);
  });
});

describe('lines', () => {
  test('keep their numbers when older ones go', () => {
    const { lines } = new OutputHistory({ maxLines: 100 });
    for (let line = 0; line < 1000; line++)
      lines.push({ id: line, position: line * 10 }, `line ${line}`);
    const all = [...lines.from(0)];
    expect(all.length).toBeLessThanOrEqual(100);
    expect(all.length).toBeGreaterThan(80);
    expect(
      all.every(({ line, text, position }) => text === `line ${line}` && position === line * 10),
    ).toBe(true);
    expect(all.at(-1)!.line).toBe(999);
    expect(all[0]!.lost).toEqual({ lines: all[0]!.line, bytes: all[0]!.position });
  });

  test('are bounded by their characters too', () => {
    const { lines } = new OutputHistory({ maxBytes: 64 * KB });
    for (let line = 0; line < 1000; line++)
      lines.push({ id: line, position: line }, 'x'.repeat(1000));
    expect(lines.size.chars).toBeLessThanOrEqual(40 * KB);
  });

  test('after a reader outlive a flood', () => {
    const history = new OutputHistory({ maxLines: 1000, headBytes: 1000 });
    history.readers.add({ position: 0 });
    for (let line = 0; line < 50_000; line++)
      history.lines.push({ id: line, position: line * 10 }, `${line}`);
    const all = [...history.lines.from(0)];
    expect(all.slice(0, 100).map(({ line }) => line)).toEqual(
      Array.from({ length: 100 }, (_, at) => at),
    );
    const gap = all.find(({ lost }) => lost)!;
    const before = all[all.indexOf(gap) - 1]!;
    expect(gap.lost).toEqual({
      lines: gap.line - before.line - 1,
      bytes: gap.position - before.position - 10,
    });
    expect(all.at(-1)!.line).toBe(49_999);
  });
});
