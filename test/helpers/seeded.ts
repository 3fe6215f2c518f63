/** Random numbers that come again with the same seed (mulberry32), for properties and fuzzers. */
export function seeded(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const list = <T>(most: number, item: () => T): T[] =>
    Array.from({ length: below(most + 1) }, item);
  return { next, below, pick, list };
}

export type Random = ReturnType<typeof seeded>;

/** Tries a claim with many seeds; a failure names its seed. `SEEDS=2000` tries that many. */
export function forSeeds(count: number, claim: (random: Random, seed: number) => void): void {
  for (let seed = 1; seed <= Number(process.env.SEEDS ?? count); seed++) {
    try {
      claim(seeded(seed), seed);
    } catch (error) {
      throw new Error(`It does not hold for seed ${seed}.`, { cause: error });
    }
  }
}
