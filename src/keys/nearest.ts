/** The candidate that differs least from a misspelt name, if one is near enough to be meant. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  // Half of the letters: "Lfet" and "PageDwn" are near something, ":wq" is not.
  let best = Math.floor(name.length / 2) + 1;
  let found: string | undefined;
  for (const candidate of candidates) {
    // Whatever its letters, it differs by so many; to count would take long where a name is huge.
    if (Math.abs(name.length - candidate.length) >= best) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < best) {
      best = distance;
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
