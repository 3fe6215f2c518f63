/** Writes output to the screen, and shows the echo detector each line at its end. */
import type { Screen } from '../../screen/screen.ts';
import type { EchoDetector } from './echo-detector.ts';

/**
 * Returns whether all of it was echo: what was typed, or the first part of it, and nothing of an
 * answer.
 */
export const writeOutputToScreen = (bytes: Buffer, screen: Screen, echo: EchoDetector): boolean => {
  let from = 0;
  let hasEcho = false;
  for (let end = echo.nextLineEnd(bytes, from); end !== -1; end = echo.nextLineEnd(bytes, from)) {
    screen.write(bytes.subarray(from, end));
    // Read the line before its line feed moves the cursor off it.
    const line = screen.cursorLine;
    screen.write(bytes.subarray(end, end + 1));
    hasEcho = echo.onLineEnd(line) || hasEcho;
    from = end + 1;
  }
  const rest = bytes.subarray(from);
  screen.write(rest);
  const isUnanswered = echo.onOutput(rest);
  return (hasEcho && rest.length === 0) || isUnanswered;
};
