/**
 * The candidate closest to a misspelt name. Undefined if none is close: by default at most half of the
 * letters may differ. "Lfet" and "PageDwn" are close to a key, ":wq" is not.
 */
export function nearestWord(
  name: string,
  candidates: Iterable<string>,
  differing = 1 / 2,
): string | undefined {
  let bestDistance = Math.floor(name.length * differing) + 1;
  let found: string | undefined;
  for (const candidate of candidates) {
    // The distance is at least the difference in length. Computing it for a huge name takes long.
    if (Math.abs(name.length - candidate.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      bestDistance = distance;
      found = candidate;
    }
  }
  return found;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
