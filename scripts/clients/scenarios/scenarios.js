import { searches } from './searches.js';
import { tour } from './tour.js';

/** In the order of the table. `limitMs`: by when it has ended, on a machine that does other things too. */
export const scenarios = [
  { name: 'searches', run: searches, limitMs: 120_000 },
  { name: 'tour', run: tour, limitMs: 240_000 },
];
