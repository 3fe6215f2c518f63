/** Ratios of times: their mean is geometric, and their logarithms are what a t-interval suits. */

export interface Ratio {
  mean: number;
  /** The 95 % confidence interval. */
  least: number;
  most: number;
}

export const meanRatio = (ratios: readonly number[]): Ratio => {
  const logs = ratios.map(Math.log);
  const count = logs.length;
  const mean = sum(logs) / count;
  const variance = sum(logs.map((log) => (log - mean) ** 2)) / (count - 1);
  const half = tQuantile(count - 1) * Math.sqrt(variance / count);
  return { mean: Math.exp(mean), least: Math.exp(mean - half), most: Math.exp(mean + half) };
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

/** Of Student's distribution at 0.975: exact to 3 digits where the expansion below is not. */
const FEW = [Number.NaN, 12.706, 4.303, 3.182];

/** Cornish and Fisher's expansion (Abramowitz and Stegun 26.7.5). */
const tQuantile = (freedom: number): number => {
  const z = 1.959964;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return FEW[freedom] ?? z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
};
