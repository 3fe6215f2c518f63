/** Random numbers that come again with the same seed (mulberry32), for property tests. */
export function seeded(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const list = <T>(most: number, item: () => T): T[] =>
    Array.from({ length: below(most + 1) }, item);
  return { below, pick, list };
}
