/** Exchanges, a flood and many sessions through the daemon's socket. Each process has a daemon of its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sessions } from '../../../src/index.ts';
import type { Bench, Build, Place } from '../bench.ts';
import { floods, writeLines } from './flood.ts';
import { openUsed } from './scale.ts';
import { exchanges, openPartner, python, shell } from './talk.ts';

const partners = [python, shell];
const WARM_UP = 300;
const COLD = 2;
const TIMED = 10;
/** Then it ends by itself: what would stop it is not part of the library's public surface. */
const IDLE_MS = 500;

export const daemon: Bench = {
  turns: 15,
  prepare: writeLines,
  async open(build, place) {
    const { sessions, end } = await startOwnDaemon(build, place);
    for (const partner of partners) {
      await openPartner(sessions, partner);
      await exchanges(sessions, partner, WARM_UP);
    }
    const flood = await floods(sessions, place.shared);
    return {
      async turn() {
        const samples = [];
        for (const partner of partners) {
          const times = await exchanges(sessions, partner, COLD + TIMED);
          samples.push({ metric: `${partner.name} ms`, values: times.slice(COLD) });
        }
        return [...samples, ...(await flood())];
      },
      end,
    };
  },
};

const OPENED_FIRST = 10;
const AT_A_TURN = 3;

export const daemonScale: Bench = {
  turns: 21,
  async open(build, place) {
    const { sessions, end } = await startOwnDaemon(build, place);
    const openSome = async (count: number) => {
      const times: number[] = [];
      for (let at = 0; at < count; at++) times.push(await openUsed(sessions));
      return times;
    };
    await openSome(OPENED_FIRST);
    return {
      turn: async () => [{ metric: 'open ms', values: await openSome(AT_A_TURN) }],
      end,
    };
  },
};

const startOwnDaemon = async (
  { connectDaemon }: Build,
  { folder, isKept }: Place,
): Promise<{ sessions: Sessions; end(): Promise<void> }> => {
  const socket = join(folder, 'socket');
  const own = {
    XDG_RUNTIME_DIR: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    REPARTEE_SOCKET: socket,
  };
  Object.assign(process.env, own);
  const sessions = await connectDaemon({
    idleMs: IDLE_MS,
    ...(!isKept && { keeper: false as const }),
  });
  const end = async () => {
    await sessions.closeAll({ graceMs: 0 });
    await sessions[Symbol.asyncDispose]();
    while (existsSync(socket)) await delay(IDLE_MS / 10);
  };
  return { sessions, end };
};
