/** A session's screen in small, drawn on a canvas without WebGL: a browser keeps 16 contexts, and there are 200. */
import { useEffect, useRef } from 'preact/hooks';
import type { Miniature as MiniatureScreen } from '../../page-messages.ts';
import { usePage } from '../page-context.ts';
import { cssColor, onColorScheme, terminalColors } from '../terminal/colors.ts';

/** A screen with short lines is not drawn larger than this, in columns. */
const MIN_COLS = 52;
const ASPECT = 1.95;

export const Miniature = ({ session }: { session: string }) => {
  const { store } = usePage();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let frame = 0;
    const redraw = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        if (canvas.current !== null) draw(canvas.current, store.miniatures.get(session));
      });
    };
    redraw();
    const stopMiniature = store.onMiniature(session, redraw);
    const stopColors = onColorScheme(redraw);
    const observer = new ResizeObserver(redraw);
    observer.observe(canvas.current!);
    return () => {
      cancelAnimationFrame(frame);
      stopMiniature();
      stopColors();
      observer.disconnect();
    };
  }, [session]);
  // The words beside it say what matters; the picture is for the eye alone.
  return (
    <span aria-hidden="true">
      <canvas ref={canvas} class="miniature" />
    </span>
  );
};

const draw = (canvas: HTMLCanvasElement, screen: MiniatureScreen | undefined): void => {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0) return;
  const ratio = devicePixelRatio || 1;
  const pixelWidth = Math.round(width * ratio);
  const pixelHeight = Math.round(height * ratio);
  if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
  if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
  const context = canvas.getContext('2d', { alpha: false })!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = terminalColors().background;
  context.fillRect(0, 0, width, height);
  if (screen === undefined) return;
  const widths = screen.rows.map((row) => row.reduce((sum, [text]) => sum + text.length, 0));
  const cols = Math.max(MIN_COLS, ...widths);
  const cellWidth = (width - 12) / cols;
  const cellHeight = cellWidth * ASPECT;
  // The end of the screen is where something happens.
  const rows = screen.rows.slice(-Math.floor((height - 8) / cellHeight));
  context.font = `${cellWidth / 0.6}px ui-monospace, "DejaVu Sans Mono", monospace`;
  context.textBaseline = 'middle';
  for (const [index, row] of rows.entries()) {
    let col = 0;
    const y = 5 + index * cellHeight;
    for (const [text, foreground, background] of row) {
      const x = 6 + col * cellWidth;
      if (background != null) {
        context.fillStyle = cssColor(background);
        context.fillRect(x, y, text.length * cellWidth + 0.5, cellHeight + 0.5);
      }
      if (text.trim() !== '') {
        context.fillStyle = cssColor(foreground ?? 'foreground');
        context.fillText(text, x, y + cellHeight / 2, text.length * cellWidth);
      }
      col += text.length;
    }
  }
};
