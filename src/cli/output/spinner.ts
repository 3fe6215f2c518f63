/** Shows the session, its state and the elapsed time on a person's terminal while a command waits. */
import type { CallProgress } from '../../session/sessions.ts';
import { textColorsFor } from './colors.ts';
import { formatDuration } from './durations.ts';

const frames = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const FRAME_MS = 100;
/** Most calls return sooner, and a line that only flashes is a nuisance. */
const SHOW_AFTER_MS = 300;

export interface Spinner {
  onProgress(progress: CallProgress): void;
  stop(): void;
}

export const startSpinner = (label: string): Spinner => {
  const { stderr } = process;
  // A dumb terminal cannot erase a line, so frame after frame would fill it.
  if (!stderr.isTTY || process.env.TERM === 'dumb') return { onProgress: () => {}, stop: () => {} };
  const paint = textColorsFor(stderr);
  const startedMs = performance.now();
  let latest: CallProgress | undefined;
  let frame = 0;
  let isShown = false;
  const draw = () => {
    const elapsedMs = performance.now() - startedMs;
    if (elapsedMs < SHOW_AFTER_MS) return;
    isShown = true;
    const { session = label, state = 'waiting for it', lastLine = '' } = latest ?? {};
    const suffix = lastLine === '' ? '' : ` · ${lastLine}`;
    const line = `${frames[frame++ % frames.length]} ${session}: ${state}, ${formatDuration(elapsedMs)}${suffix}`;
    // The last column stays empty: some terminals wrap there.
    const fitting = [...line].slice(0, (stderr.columns ?? 80) - 1).join('');
    // Wrapping is off (DECAWM): some characters take two columns.
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
