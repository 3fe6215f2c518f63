/** `send` to a program that answers at once: almost all of the time is ours. */
import type { Bench } from '../bench.ts';
import { exchanges, openPartner, python, shell, sqlite } from './talk.ts';

const partners = [python, shell, sqlite];

const WARM_UP = 150;
/** The first exchanges of a turn find the caches full of another build's. */
const COLD = 2;
const TIMED = 6;
const TURNS_EACH = 30;

export const exchange: Bench = {
  turns: TURNS_EACH * partners.length,
  async open({ LocalSessions }) {
    const sessions = new LocalSessions();
    for (const partner of partners) {
      await openPartner(sessions, partner);
      await exchanges(sessions, partner, WARM_UP);
    }
    return {
      async turn(at) {
        const partner = partners[Math.floor(at / TURNS_EACH)]!;
        const times = await exchanges(sessions, partner, COLD + TIMED);
        return [{ metric: `${partner.name} ms`, values: times.slice(COLD) }];
      },
      end: async () => void (await sessions.closeAll({ graceMs: 0 })),
    };
  },
};
