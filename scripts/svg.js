/**
 * Frames of a screen as one animated SVG. A row that stays as it was is drawn once, for as long as it
 * is to be seen: so a conversation that scrolls by costs its lines, not its frames.
 */

const CELL = { width: 8.4, height: 18 };
const PADDING = 16;
const colours = {
  text: '#d8dee9',
  background: '#1e222a',
  palette: ['#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d8dee9'],
};

export const drawing = ({ cols, rows, frames, durationMs }) => {
  const width = Math.round(cols * CELL.width + 2 * PADDING);
  const height = rows * CELL.height + 2 * PADDING;
  const { defined, shown } = rowsOf(frames, durationMs);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${colours.text}}
.b{font-weight:bold}.d{fill-opacity:.6}
${colours.palette.map((colour, at) => `.c${at}{fill:${colour}}`).join('')}
.r{visibility:hidden;animation:${durationMs / 1000}s steps(1) infinite}
${shown.map(({ keyframes }) => keyframes).join('\n')}
@media(prefers-reduced-motion:reduce){.r{animation:none}.last{visibility:visible}}
</style>
<rect width="100%" height="100%" rx="8" fill="${colours.background}"/>
<defs>
${defined.join('\n')}
</defs>
${shown.map(({ element }) => element).join('\n')}
</svg>
`;
};

/** Each different row once, and each stretch of time in which a row is at a place. */
const rowsOf = (frames, durationMs) => {
  const ids = new Map();
  const defined = [];
  const define = (runs) => {
    const text = rowText(runs);
    if (text === '') return undefined;
    if (!ids.has(text)) {
      ids.set(text, `t${ids.size}`);
      defined.push(`<text id="${ids.get(text)}">${text}</text>`);
    }
    return ids.get(text);
  };
  const stretches = new Map();
  for (const [at, { atMs, runs }] of frames.entries()) {
    const untilMs = frames[at + 1]?.atMs ?? durationMs;
    for (const [row, cells] of runs.entries()) {
      const id = define(cells);
      if (id === undefined) continue;
      const key = `${row} ${id}`;
      const known = stretches.get(key) ?? [];
      if (known.at(-1)?.untilMs === atMs) known.at(-1).untilMs = untilMs;
      else known.push({ atMs, untilMs });
      stretches.set(key, known);
    }
  }
  const shown = [...stretches].map(([key, times], number) => {
    const [row, id] = key.split(' ');
    const y = Number(row) * CELL.height + PADDING + 13;
    const isLast = times.at(-1).untilMs === durationMs;
    return {
      element: `<use href="#${id}" x="${PADDING}" y="${y}" class="r${isLast ? ' last' : ''}" style="animation-name:k${number}"/>`,
      keyframes: `@keyframes k${number}{${times.map((time) => keyframe(time, durationMs)).join('')}}`,
    };
  });
  return { defined, shown };
};

const keyframe = ({ atMs, untilMs }, durationMs) => {
  const share = (ms) => `${((100 * ms) / durationMs).toFixed(2)}%`;
  return `${share(atMs)}{visibility:visible}${share(untilMs)}{visibility:hidden}`;
};

const rowText = (runs) => {
  return runs
    .map(({ col, text, style }) => {
      // Some programs draw no blanks at the beginning: there the place says it.
      const shown = text.trim();
      if (shown === '') return '';
      const x = (col + text.indexOf(shown)) * CELL.width;
      const classes = [
        ...(style.bold ? ['b'] : []),
        ...(style.dim ? ['d'] : []),
        ...(typeof style.fg === 'number' && style.fg < 8 ? [`c${style.fg}`] : []),
      ];
      const look = classes.length > 0 ? ` class="${classes.join(' ')}"` : '';
      const length = `textLength="${round(widthOf(shown))}" lengthAdjust="spacingAndGlyphs"`;
      return `<tspan x="${round(x)}" ${length}${look}>${escaped(shown)}</tspan>`;
    })
    .join('');
};

const widthOf = (text) => [...text].length * CELL.width;
const round = (value) => Math.round(value * 10) / 10;
const escaped = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // Blanks side by side would be drawn as one.
    .replaceAll(' ', '\u00a0');
