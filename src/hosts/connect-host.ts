/** The sessions of one host, through a bridge. */
import { DaemonSessions } from '../daemon/client/daemon-sessions.ts';
import type { DaemonPaths } from '../daemon/protocol/daemon-paths.ts';
import type { CallerClaim } from '../session/caller.ts';
import type { SecretSource } from '../session/secrets/secrets.ts';
import type { HostBridge } from './host-bridge.ts';

export interface HostOptions {
  host: string;
  bridge: HostBridge;
  caller: CallerClaim;
  secrets: SecretSource;
}

/** A network may be gone for half a minute, and come back. */
const ANSWER_MS = 45_000;

/** Connects at the first call. */
export const hostSessions = ({ host, bridge, caller, secrets }: HostOptions): DaemonSessions =>
  new DaemonSessions({
    paths: placesOn(host),
    openTransport: bridge.open,
    origin: bridge.origin,
    answerMs: ANSWER_MS,
    // The bridge does so, there.
    start: false,
    caller,
    secrets,
  });

const ELSEWHERE = 'on another machine';

/** Nothing of a far daemon can be looked at from here: these only name it in messages. */
const placesOn = (host: string): DaemonPaths => {
  const place = `on ${host}`;
  return {
    // Not the place: a path of a socket may not be long.
    ...{ runtimeFolder: place, socket: ELSEWHERE, lock: place, stateFolder: place },
    ...{ stateSocket: place, recordings: place, log: place, journal: place },
    ...{ audit: place, policy: place, usualSockets: [] },
  };
};
