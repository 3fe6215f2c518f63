import type { Bench } from './bench.ts';
import { conversation } from './benches/conversation.ts';
import { daemon, daemonScale } from './benches/daemon.ts';
import { exchange } from './benches/exchange.ts';
import { flood } from './benches/flood.ts';
import { scale } from './benches/scale.ts';

export const benches: Readonly<Record<string, Bench>> = {
  exchange,
  conversation,
  flood,
  scale,
  daemon,
  'daemon-scale': daemonScale,
};
