/** Exchanges and a flood through the daemon's socket. Each process starts a daemon of its own build. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { floods, writeLines } from './flood.ts';
import { exchanges, openPartner, python } from './talk.ts';

const WARM_UP = 300;
const COLD = 2;
const TIMED = 10;
/** Then it ends by itself: what would stop it is not part of the library's public surface. */
const IDLE_MS = 500;

export const daemon: Bench = {
  turns: 15,
  prepare: writeLines,
  async open({ connectDaemon }, { folder, shared }) {
    const socket = join(folder, 'socket');
    const own = {
      XDG_RUNTIME_DIR: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      REPARTEE_SOCKET: socket,
    };
    Object.assign(process.env, own);
    const sessions = await connectDaemon({ idleMs: IDLE_MS });
    await openPartner(sessions, python);
    await exchanges(sessions, python, WARM_UP);
    const flood = await floods(sessions, shared);
    return {
      async turn() {
        const times = await exchanges(sessions, python, COLD + TIMED);
        return [{ metric: 'python3 ms', values: times.slice(COLD) }, ...(await flood())];
      },
      async end() {
        await sessions.closeAll({ graceMs: 0 });
        await sessions[Symbol.asyncDispose]();
        while (existsSync(socket)) await delay(IDLE_MS / 10);
      },
    };
  },
};
