/** Searches new output for a pattern as it comes. */
import type { Pattern } from '../../views/pattern.ts';
import { makeScreenView } from '../../views/screen.ts';
import { joinViewLines, type TextView, textViewFrom } from '../../views/text.ts';
import type { Session } from '../session.ts';
import { throttle } from './throttle.ts';

/** The shortest time between two searches, however much a program prints. */
const MATCH_PAUSE_MS = 10;

/**
 * How much of the output without a match is searched again together with new output: a match may start
 * there. Searching all of it each time would take longer and longer in a flood.
 */
const SEARCHED_AGAIN_CHARS = 64 * 1024;

/** `searchNow` searches at once. */
export const onPatternMatch = (
  session: Session,
  pattern: Pattern,
  from: number,
  onFound: (matched: string) => void,
  onError: (error: unknown) => void,
): { searchNow: () => void; stop: () => void } => {
  const { screen } = session;
  let start = from;
  const searchNow = () => {
    try {
      const view = textViewFrom(screen, start, session.hiddenSpans());
      // The output of a full-screen program is its screen.
      const shown = screen.modes.alternateScreen ? makeScreenView(screen).lines.join('\n') : '';
      const found = pattern.exec(joinViewLines(view)) ?? (shown ? pattern.exec(shown) : null);
      if (found) onFound(found[0]);
      else start = Math.max(start, positionBefore(view, SEARCHED_AGAIN_CHARS));
    } catch (error) {
      onError(error);
    }
  };
  const { trigger, cancel } = throttle(MATCH_PAUSE_MS, searchNow);
  session.onOutput.add(trigger);
  queueMicrotask(trigger);
  const stop = () => {
    cancel();
    session.onOutput.delete(trigger);
  };
  return { searchNow, stop };
};

/** The position of the line that is `chars` characters before the end. */
const positionBefore = ({ lines }: TextView, chars: number): number => {
  let left = chars;
  const first = lines.findLast(({ text }) => {
    left -= text.length + 1;
    return left <= 0;
  });
  return first?.position ?? 0;
};
