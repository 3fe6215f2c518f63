import { image } from './image.js';
import { killed } from './killed.js';
import { longCall } from './long-call.js';
import { permission } from './permission.js';
import { pressedEsc } from './pressed-esc.js';
import { searches } from './searches.js';
import { tour } from './tour.js';
import { twoClients } from './two-clients.js';

/**
 * In the order of the table. `limitMs`: by when it has ended, on a machine that does other things too.
 * `isLong`: it does nothing but wait.
 */
export const scenarios = [
  { name: 'searches', run: searches, limitMs: 120_000 },
  { name: 'tour', run: tour, limitMs: 240_000 },
  { name: 'image', run: image, limitMs: 120_000 },
  { name: 'permission', run: permission, limitMs: 120_000 },
  { name: '75s', run: longCall(75), limitMs: 200_000, isLong: true },
  { name: '310s', run: longCall(310), limitMs: 500_000, isLong: true },
  { name: 'esc', run: pressedEsc, limitMs: 150_000 },
  { name: 'kill-9', run: killed, limitMs: 150_000 },
  { name: 'two', run: twoClients, limitMs: 120_000 },
];
