/** Looks for a pattern in new output, as it comes. */
import type { Pattern } from '../../views/pattern.ts';
import { screenView } from '../../views/screen.ts';
import { type TextView, textFrom, viewText } from '../../views/text.ts';
import type { Session } from '../session.ts';
import { throttle } from './throttle.ts';

/** A pattern is tried at most so often, however much a program writes. */
const MATCH_PAUSE_MS = 10;

/**
 * Of what was searched in vain, so much is searched again with what came after it: a match may have
 * begun there. Searching all of it each time would take ever longer in a flood.
 */
const SEARCHED_AGAIN_CHARS = 64 * 1024;

/** `look` tries the pattern at once. */
export const onMatch = (
  session: Session,
  pattern: Pattern,
  from: number,
  onFound: (matched: string) => void,
  onError: (error: unknown) => void,
): { look: () => void; stop: () => void } => {
  const { screen } = session;
  let begin = from;
  const look = () => {
    try {
      const view = textFrom(screen, begin, session.hiddenSpans());
      // A full-screen program's output is its screen.
      const shown = screen.modes.alternateScreen ? screenView(screen).lines.join('\n') : '';
      const found = pattern.exec(viewText(view)) ?? (shown ? pattern.exec(shown) : null);
      if (found) onFound(found[0]);
      else begin = Math.max(begin, positionBefore(view, SEARCHED_AGAIN_CHARS));
    } catch (error) {
      onError(error);
    }
  };
  const { trigger, cancel } = throttle(MATCH_PAUSE_MS, look);
  session.onOutput.add(trigger);
  queueMicrotask(trigger);
  const stop = () => {
    cancel();
    session.onOutput.delete(trigger);
  };
  return { look, stop };
};

/** The start of the line that lies so many characters before the end. */
const positionBefore = ({ lines }: TextView, chars: number): number => {
  let left = chars;
  const first = lines.findLast(({ text }) => {
    left -= text.length + 1;
    return left <= 0;
  });
  return first?.position ?? 0;
};
