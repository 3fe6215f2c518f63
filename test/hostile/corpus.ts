/** All that hostile programs do to us. */
import { controlSequences } from './corpus/csi.ts';
import { floodCases } from './corpus/floods.ts';
import { heavySequences } from './corpus/heavy.ts';
import { processCases } from './corpus/processes.ts';
import { resizeCases } from './corpus/resizes.ts';
import type { HostileCase } from './hostile-case.ts';

export const corpus: readonly HostileCase[] = [
  ...controlSequences,
  ...heavySequences,
  ...floodCases,
  ...resizeCases,
  ...processCases,
];
