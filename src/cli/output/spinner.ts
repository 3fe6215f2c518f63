/** While a command waits: the session, its state and the time so far, on a person's terminal only. */
import type { CallProgress } from '../../session/sessions.ts';
import { colorsFor, formatDuration } from './colors.ts';

const frames = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const FRAME_MS = 100;
/** Most answers are there sooner, and a line that only flashes is a nuisance. */
const PATIENCE_MS = 300;

export interface Spinner {
  onProgress(progress: CallProgress): void;
  stop(): void;
}

export const startSpinner = (what: string): Spinner => {
  const { stderr } = process;
  // One that cannot erase what it shows would be filled with it.
  if (!stderr.isTTY || process.env.TERM === 'dumb') return { onProgress: () => {}, stop: () => {} };
  const paint = colorsFor(stderr);
  const startedMs = performance.now();
  let latest: CallProgress | undefined;
  let frame = 0;
  let isShown = false;
  const draw = () => {
    const elapsedMs = performance.now() - startedMs;
    if (elapsedMs < PATIENCE_MS) return;
    isShown = true;
    const { session = what, state = 'waiting for it', lastLine = '' } = latest ?? {};
    const said = lastLine === '' ? '' : ` · ${lastLine}`;
    const line = `${frames[frame++ % frames.length]} ${session}: ${state}, ${formatDuration(elapsedMs)}${said}`;
    // One column is left: in the last one some terminals wrap.
    const fitting = [...line].slice(0, (stderr.columns ?? 80) - 1).join('');
    // Without wrapping: some characters take two columns.
    stderr.write(`\r\x1b[K\x1b[?7l${paint.dim(fitting)}\x1b[?7h`);
  };
  const timer = setInterval(draw, FRAME_MS);
  const stop = () => {
    clearInterval(timer);
    process.off('exit', stop);
    if (isShown) stderr.write('\r\x1b[K');
    isShown = false;
  };
  process.on('exit', stop);
  return {
    onProgress: (progress) => {
      latest = progress;
    },
    stop,
  };
};
