/** The hosts of this user's hosts.json, beside the sessions of this machine. */
import { daemonPaths } from '../daemon/protocol/daemon-paths.ts';
import { ensurePrivateFolder } from '../daemon/protocol/path-ownership.ts';
import type { CallerClaim } from '../session/caller.ts';
import { standardSecrets } from '../session/secrets/secret-sources.ts';
import { type SecretSource, secretsForHost } from '../session/secrets/secrets.ts';
import type { Sessions } from '../session/sessions.ts';
import { hostSessions } from './connect-host.ts';
import { type BridgeSettings, bridgeCommand, isHostAddress } from './host-address.ts';
import { HostBridge } from './host-bridge.ts';
import { HostedSessions } from './hosted-sessions.ts';
import { readHosts } from './hosts-file.ts';

export interface WithHostsOptions {
  caller: CallerClaim;
  /** @default its environment and its files */
  secrets?: SecretSource;
  /** A person is at this terminal, whom ssh may ask for a password. @default false */
  mayAsk?: boolean;
  /** Also those that are given by their address: where a person names them, not an agent. @default false */
  inPlace?: boolean;
}

/** Undefined if there are none. */
export const withHosts = (
  local: Sessions,
  { caller, secrets = standardSecrets(), mayAsk = false, inPlace = false }: WithHostsOptions,
): HostedSessions | undefined => {
  const addresses = readHosts();
  if (addresses.size === 0 && !inPlace) return undefined;
  // A person who has misspelt an address should know it at once.
  for (const address of addresses.values()) bridgeCommand(address, bridgeSettings(mayAsk));
  return new HostedSessions({
    local,
    hosts: [...addresses.keys()],
    ...(inPlace && { accepts: isHostAddress }),
    connect: (host) => {
      const settings = bridgeSettings(mayAsk);
      // ssh puts a socket there.
      ensurePrivateFolder(settings.runtimeFolder, 'runtime');
      const command = bridgeCommand(addresses.get(host) ?? host, settings);
      const bridge = new HostBridge({ host, command });
      return hostSessions({ host, bridge, caller, secrets: secretsForHost(secrets, host) });
    },
  });
};

const bridgeSettings = (mayAsk: boolean): BridgeSettings => ({
  runtimeFolder: daemonPaths().runtimeFolder,
  mayAsk,
});
