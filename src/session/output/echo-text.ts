/** Compares a line on the screen with what was typed: the prompt before it, tabs, a prompt on the right. */

/** The line without the prompt on its right, if it is still there. */
export const withoutRight = (line: string, right: string | undefined): string =>
  right !== undefined && line.endsWith(right) ? line.slice(0, -right.length).trimEnd() : line;

/** The echo arrives in pieces: adds what is missing of it. */
export const withWholeEcho = (shown: string, typed: string): string => {
  let arrived = typed.length;
  while (!shown.endsWith(typed.slice(0, arrived))) arrived--;
  return shown + typed.slice(arrived);
};

/** The text before the echo at the end of a line. Spaces before a tab cannot be told from the tab. */
export const promptBefore = (line: string, typed: string): string | undefined => {
  let before = line;
  for (const [index, part] of typed.trimEnd().split('\t').reverse().entries()) {
    const echoed = index === 0 ? part : part.trimEnd();
    if (index > 0) before = before.trimEnd();
    if (!before.endsWith(echoed)) return undefined;
    before = before.slice(0, before.length - echoed.length);
  }
  return before;
};

/** The line as the screen shows it: a tab advances to the next multiple of eight columns. */
export const withTabs = (line: string): string => {
  const parts = line.split('\t');
  const last = parts.pop()!;
  return parts.map((part) => part.padEnd(Math.floor(part.length / 8) * 8 + 8)).join('') + last;
};
