/** Draws a screen as SVG: one that stands still, or frames of it as one that moves. */
import type { CellRun } from '../screen/xterm/styled-runs.ts';
import type { ScreenPicture } from '../views/picture.ts';
import { SVG_CELL, SVG_STYLE, svgCursor, svgRow } from './svg-rows.ts';
import { BACKGROUND_COLOUR, hexOf } from './theme.ts';

const PADDING = 16;

export const drawSvg = ({ cols, rows, runs, cursor }: ScreenPicture): string => {
  const shown = runs.map((row, at) => {
    const drawn = svgRow(row);
    return drawn === '' ? '' : `<g transform="translate(0 ${at * SVG_CELL.height})">${drawn}</g>\n`;
  });
  const content = `${shown.join('')}${cursor === undefined ? '' : `${svgCursor(cursor)}\n`}`;
  return documentOf({ cols, rows }, SVG_STYLE, content);
};

/** A screen, from this moment on. */
export interface PictureFrame {
  atMs: number;
  runs: readonly (readonly CellRun[])[];
}

export interface MovingPicture {
  cols: number;
  rows: number;
  frames: readonly PictureFrame[];
  /** Then it begins anew. */
  durationMs: number;
}

/**
 * A row that stays as it was is drawn once, for as long as it is to be seen: so a conversation that
 * scrolls by costs its lines, not its frames. Where nothing moves, the last frame is shown.
 */
export const drawMovingSvg = ({ cols, rows, frames, durationMs }: MovingPicture): string => {
  const ids = new Map<string, string>();
  const idOf = (drawn: string): string => {
    const known = ids.get(drawn) ?? `t${ids.size}`;
    ids.set(drawn, known);
    return known;
  };
  const shown = stretchesOf(frames, durationMs, idOf);
  const style = `${SVG_STYLE}
.r{visibility:hidden;animation:${durationMs / 1000}s steps(1) infinite}.last{visibility:visible}
${shown.map(({ times }, at) => `@keyframes k${at}{${keyframesOf(times, durationMs)}}`).join('\n')}
@media(prefers-reduced-motion:reduce){.r{animation:none}}`;
  const defined = [...ids].map(([drawn, id]) => `<g id="${id}">${drawn}</g>\n`);
  const used = shown.map(({ row, id, times }, at) => {
    const last = times.at(-1)?.untilMs === durationMs ? ' last' : '';
    return `<use href="#${id}" y="${row * SVG_CELL.height}" class="r${last}" style="animation-name:k${at}"/>\n`;
  });
  return documentOf({ cols, rows }, style, `<defs>\n${defined.join('')}</defs>\n${used.join('')}`);
};

interface Stretch {
  row: number;
  id: string;
  times: { atMs: number; untilMs: number }[];
}

/** When what is seen in each row. */
const stretchesOf = (
  frames: readonly PictureFrame[],
  durationMs: number,
  idOf: (drawn: string) => string,
): Stretch[] => {
  const stretches = new Map<string, Stretch>();
  for (const [at, { atMs, runs }] of frames.entries()) {
    const untilMs = frames[at + 1]?.atMs ?? durationMs;
    for (const [row, cells] of runs.entries()) {
      const drawn = svgRow(cells);
      if (drawn === '') continue;
      const id = idOf(drawn);
      const stretch = stretches.get(`${row} ${id}`) ?? { row, id, times: [] };
      stretches.set(`${row} ${id}`, stretch);
      const last = stretch.times.at(-1);
      if (last?.untilMs === atMs) last.untilMs = untilMs;
      else stretch.times.push({ atMs, untilMs });
    }
  }
  return [...stretches.values()];
};

/** What is not said of the beginning would be as without movement. */
const keyframesOf = (times: Stretch['times'], durationMs: number): string => {
  const share = (ms: number) => `${((100 * ms) / durationMs).toFixed(3)}%`;
  const begins = times[0]?.atMs === 0 ? '' : '0%{visibility:hidden}';
  const shown = times.map(
    ({ atMs, untilMs }) =>
      `${share(atMs)}{visibility:visible}${untilMs === durationMs ? '' : `${share(untilMs)}{visibility:hidden}`}`,
  );
  const last = times.at(-1)?.untilMs === durationMs ? '100%{visibility:visible}' : '';
  return `${begins}${shown.join('')}${last}`;
};

const documentOf = (
  { cols, rows }: { cols: number; rows: number },
  style: string,
  content: string,
): string => {
  const width = Math.round(cols * SVG_CELL.width + 2 * PADDING);
  const height = rows * SVG_CELL.height + 2 * PADDING;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-PADDING} ${-PADDING} ${width} ${height}" width="${width}" height="${height}">
<style>
${style}
</style>
<rect x="${-PADDING}" y="${-PADDING}" width="100%" height="100%" rx="8" fill="${hexOf(BACKGROUND_COLOUR)}"/>
${content}</svg>
`;
};
