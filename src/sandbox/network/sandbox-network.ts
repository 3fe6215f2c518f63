/**
 * The network of a sandbox whose profile names hosts. Inside, nothing runs for it: a socket that listens
 * there belongs to a proxy out here.
 */
import { SandboxUnavailable } from '../../errors.ts';
import { listenInNetworkOf } from '../../system/listen-in-network.ts';
import type { Sandbox } from '../sandbox.ts';
import { SandboxProxy, type SandboxProxyOptions } from './sandbox-proxy.ts';

/** Below 1024: no program inside may listen there, also while there is no proxy. */
const PROXY_PORT = 808;

/** Undefined if it needs none: it has no network, or all of it. */
export const hostsOf = ({ network }: Pick<Sandbox, 'network'>): readonly string[] | undefined =>
  typeof network === 'string' ? undefined : network;

export class SandboxNetwork {
  readonly #proxy: SandboxProxy;

  private constructor(proxy: SandboxProxy) {
    this.#proxy = proxy;
  }

  /** `leader`: bubblewrap. Also for a sandbox whose proxy has died with the process that it was in. */
  static async open(leader: number, options: SandboxProxyOptions): Promise<SandboxNetwork> {
    const proxy = new SandboxProxy(options);
    try {
      const listening = await listenInNetworkOf(leader, PROXY_PORT);
      proxy.server.listen(listening);
      // Whoever waits for a session waits for its terminal.
      proxy.server.unref();
    } catch (error) {
      throw new SandboxUnavailable(
        `no proxy can listen in its network (${(error as Error).message})`,
        'nsenter is needed for it (util-linux), and Node outside a sandbox of its own',
      );
    }
    return new SandboxNetwork(proxy);
  }

  close(): void {
    this.#proxy.close();
  }
}

const address = `http://127.0.0.1:${PROXY_PORT}`;
/** A program's own loopback is not the proxy's. */
const direct = 'localhost,127.0.0.1,::1';

/** By these programs find the proxy. */
export const proxyVariables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
      [name, address],
      [name.toUpperCase(), address],
    ]),
  ),
  no_proxy: direct,
  NO_PROXY: direct,
  npm_config_proxy: address,
  npm_config_https_proxy: address,
  npm_config_noproxy: direct,
  // Node 24 and newer.
  NODE_USE_ENV_PROXY: '1',
};
