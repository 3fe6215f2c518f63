/**
 * Reads the outlines of a TrueType font: which glyph each character has, and its contours as straight
 * lines, in the font's units. Only what DejaVu has in its tables is understood:
 * https://learn.microsoft.com/en-us/typography/opentype/spec/
 */

/** Enough for a curve that is a few pixels long. */
const LINES_PER_CURVE = 8;

const ON_CURVE = 1;
const X_SHORT = 2;
const Y_SHORT = 4;
const REPEAT = 8;
const X_SAME = 16;
const Y_SAME = 32;

const ARGS_ARE_WORDS = 1;
const ARGS_ARE_XY = 2;
const HAS_SCALE = 8;
const MORE_COMPONENTS = 32;
const HAS_XY_SCALE = 64;
const HAS_MATRIX = 128;

export const readFont = (file) => {
  const tables = new Map();
  for (let at = 12; at < 12 + 16 * file.readUInt16BE(4); at += 16) {
    const start = file.readUInt32BE(at + 8);
    const length = file.readUInt32BE(at + 12);
    tables.set(file.toString('latin1', at, at + 4), file.subarray(start, start + length));
  }
  const glyphOf = readCharacterMap(tables.get('cmap'));
  return { glyphOf, contoursOf: (glyph) => contoursOf(tables, glyph) };
};

/** By code point. */
const readCharacterMap = (cmap) => {
  for (let at = 4; at < 4 + 8 * cmap.readUInt16BE(2); at += 8) {
    const table = cmap.subarray(cmap.readUInt32BE(at + 4));
    if (table.readUInt16BE(0) === 12) return readGroups(table);
  }
  throw new Error('The font has no character map of format 12.');
};

const readGroups = (table) => {
  const glyphs = new Map();
  for (let at = 16; at < 16 + 12 * table.readUInt32BE(12); at += 12) {
    const [first, last, glyph] = [0, 4, 8].map((offset) => table.readUInt32BE(at + offset));
    for (let code = first; code <= last; code++) glyphs.set(code, glyph + code - first);
  }
  return glyphs;
};

/** Each contour is a list of points [x, y], closed. */
const contoursOf = (tables, glyph) => {
  const isLong = tables.get('head').readInt16BE(50) === 1;
  const loca = tables.get('loca');
  const offset = (at) => (isLong ? loca.readUInt32BE(4 * at) : 2 * loca.readUInt16BE(2 * at));
  const data = tables.get('glyf').subarray(offset(glyph), offset(glyph + 1));
  if (data.length === 0) return [];
  const contours = data.readInt16BE(0);
  return contours < 0 ? readComponents(tables, data) : readContours(data, contours);
};

const readComponents = (tables, data) => {
  const contours = [];
  let at = 10;
  for (let flags = MORE_COMPONENTS; flags & MORE_COMPONENTS; ) {
    flags = data.readUInt16BE(at);
    const glyph = data.readUInt16BE(at + 2);
    if (!(flags & ARGS_ARE_XY)) throw new Error('Components are placed by points.');
    const isWord = flags & ARGS_ARE_WORDS;
    const [dx, dy] = isWord
      ? [data.readInt16BE(at + 4), data.readInt16BE(at + 6)]
      : [data.readInt8(at + 4), data.readInt8(at + 5)];
    at += isWord ? 8 : 6;
    const count = flags & HAS_MATRIX ? 4 : flags & HAS_XY_SCALE ? 2 : flags & HAS_SCALE ? 1 : 0;
    const scales = Array.from({ length: count }, (_, n) => data.readInt16BE(at + 2 * n) / 16384);
    at += 2 * count;
    const [a, b, c, d] = [
      [1, 0, 0, 1],
      [scales[0], 0, 0, scales[0]],
      [scales[0], 0, 0, scales[1]],
      [],
      scales,
    ][count];
    for (const contour of contoursOf(tables, glyph))
      contours.push(contour.map(([x, y]) => [a * x + c * y + dx, b * x + d * y + dy]));
  }
  return contours;
};

const readContours = (data, count) => {
  const ends = Array.from({ length: count }, (_, n) => data.readUInt16BE(10 + 2 * n));
  const points = (ends.at(-1) ?? -1) + 1;
  let at = 10 + 2 * count;
  at += 2 + data.readUInt16BE(at);
  const flags = [];
  while (flags.length < points) {
    const flag = data[at++];
    const times = flag & REPEAT ? data[at++] + 1 : 1;
    for (let time = 0; time < times; time++) flags.push(flag);
  }
  const readAxis = (short, same) => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? data[at++] : -data[at++];
      else if (!(flag & same)) {
        value += data.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = readAxis(X_SHORT, X_SAME);
  const ys = readAxis(Y_SHORT, Y_SAME);
  const all = flags.map((flag, n) => ({ x: xs[n], y: ys[n], isOn: (flag & ON_CURVE) !== 0 }));
  return ends.map((end, n) => straightened(all.slice((ends[n - 1] ?? -1) + 1, end + 1)));
};

const between = (one, other) => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
  isOn: true,
});

/** Two points in a row that are not on the curve have one that is on it halfway. */
const straightened = (points) => {
  const full = points.flatMap((point, n) => {
    const next = points[(n + 1) % points.length];
    return point.isOn || next.isOn ? [point] : [point, between(point, next)];
  });
  const first = full.findIndex(({ isOn }) => isOn);
  if (first === -1) return [];
  const ring = [...full.slice(first), ...full.slice(0, first), full[first]];
  const line = [];
  for (let n = 0; n < ring.length; n++) {
    const { x, y, isOn } = ring[n];
    if (isOn) line.push([x, y]);
    else {
      const [start, end] = [ring[n - 1], ring[n + 1]];
      for (let step = 1; step < LINES_PER_CURVE; step++) {
        const t = step / LINES_PER_CURVE;
        const at = (from, by, to) => (1 - t) ** 2 * from + 2 * t * (1 - t) * by + t ** 2 * to;
        line.push([at(start.x, x, end.x), at(start.y, y, end.y)]);
      }
    }
  }
  return line;
};
