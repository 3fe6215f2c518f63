/**
 * Rounds of a fuzzer, each with a seed of its own. `npm test` gives it a few seconds, and the same
 * seeds each time; `FUZZ_SECONDS=300` goes on for so long. A failure names its seed, and
 * `FUZZ_SEED` begins with that one.
 */
import { type Random, seeded } from './seeded.ts';

/** With the four fuzzers of the daemon, of MCP and of the screen this makes half a minute in all. */
export const FUZZ_SECONDS = Number(process.env.FUZZ_SECONDS ?? 8);

/** Beyond the time for the last round to end, and for what comes after it. */
export const FUZZ_TIMEOUT_MS = FUZZ_SECONDS * 1000 + 120_000;

/** Returns how many rounds there were. */
export const fuzz = async (
  round: (random: Random, seed: number) => void | Promise<void>,
  seconds = FUZZ_SECONDS,
): Promise<number> => {
  const first = Number(process.env.FUZZ_SEED ?? 1);
  const deadline = performance.now() + seconds * 1000;
  let seed = first;
  for (; performance.now() < deadline; seed++) {
    try {
      await round(seeded(seed), seed);
    } catch (error) {
      throw new Error(`Found with FUZZ_SEED=${seed}.`, { cause: error });
    }
  }
  return seed - first;
};

/** For finding the fewest parts: better a long failure than a late one. */
const FEWEST_MS = 5000;

/** The fewest of these parts, as far as leaving some out finds it, with which it still fails. */
export const fewest = <T>(parts: readonly T[], fails: (parts: readonly T[]) => boolean): T[] => {
  const deadline = performance.now() + FEWEST_MS;
  let left = [...parts];
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : size >> 1) {
    for (let at = 0; at < left.length && performance.now() < deadline; ) {
      const without = [...left.slice(0, at), ...left.slice(at + size)];
      if (fails(without)) left = without;
      else at += size;
    }
  }
  return left;
};
