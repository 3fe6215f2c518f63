/** Outlines as pixels: how much of each pixel they cover, from 0 to 1. */

/** `contours`: closed, in pixels, with the origin in the upper left corner. */
export const rasterize = (contours, width, height) => {
  // One more column, for what lies beyond the right edge.
  const areas = new Float64Array((width + 1) * height);
  for (const contour of contours)
    for (let n = 1; n < contour.length; n++)
      addLine(areas, width, height, contour[n - 1], contour[n]);
  const pixels = new Float64Array(width * height);
  for (let row = 0; row < height; row++) {
    let covered = 0;
    for (let col = 0; col < width; col++) {
      covered += areas[row * (width + 1) + col];
      pixels[row * width + col] = Math.min(1, Math.abs(covered));
    }
  }
  return pixels;
};

/**
 * Adds to each pixel how much more of its row is inside from there on. A line has the pixels to its right
 * on one side, so each of its pieces within a pixel changes that pixel in part, and the rest in the next.
 */
const addLine = (areas, width, height, [x0, y0], [x1, y1]) => {
  if (y0 === y1) return;
  const sign = y0 < y1 ? 1 : -1;
  const [top, bottom] = y0 < y1 ? [y0, y1] : [y1, y0];
  const xAt = (y) => x0 + ((y - y0) / (y1 - y0)) * (x1 - x0);
  for (let row = Math.max(0, Math.floor(top)); row < Math.min(height, bottom); row++) {
    const from = Math.max(top, row);
    const to = Math.min(bottom, row + 1);
    if (from < to) addSpan(areas, row * (width + 1), width, xAt(from), xAt(to), sign * (to - from));
  }
};

/** A piece within one row: cut where it enters another pixel. */
const addSpan = (areas, start, width, xa, xb, dy) => {
  const [left, right] = xa < xb ? [xa, xb] : [xb, xa];
  const span = right - left;
  for (let x = left; ; ) {
    const col = Math.floor(x);
    const to = Math.min(right, col + 1);
    const part = span === 0 ? dy : (dy * (to - x)) / span;
    // How far from the left edge of its pixel it is, on average.
    const inside = (x + to) / 2 - col;
    if (col < 0) areas[start] += part;
    else if (col < width) {
      areas[start + col] += part * (1 - inside);
      areas[start + col + 1] += part * inside;
    }
    x = to;
    if (x >= right) return;
  }
};
