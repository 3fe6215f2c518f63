/** Connects to a host if the rules allow it: by its name, and by the address that the name leads to. */
import { lookup } from 'node:dns/promises';
import { connect, isIPv4, type Socket } from 'node:net';
import { type HostPort, type HostRules, parseHostPort } from './host-rules.ts';
import { isPublicAddress } from './public-addresses.ts';

/** The addresses of a name. Throws if it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** What the proxy answers in place of the host. */
export class HostRefused extends Error {
  readonly status: number;

  constructor(status: 403 | 502 | 503 | 504, message: string) {
    super(message);
    this.status = status;
  }
}

const CONNECT_MS = 20_000;

/** The rules are asked before the name is looked up: else a name that leads nowhere could tell something. */
export const reachHost = async (
  target: HostPort,
  rules: HostRules,
  resolve: ResolveName = resolveName,
): Promise<Socket> => {
  const { host, port, isAddress } = target;
  if (!rules.allow(target))
    throw new HostRefused(403, `The profile of this sandbox does not name ${host}:${port}.`);
  const addresses = isAddress ? [host] : await addressesOf(target, rules, resolve);
  return connectToOne(addresses, port);
};

/** A name leads where its owner wants, also to this machine: such an address must be named itself. */
const addressesOf = async (
  { host, port }: HostPort,
  rules: HostRules,
  resolve: ResolveName,
): Promise<string[]> => {
  let all: readonly string[];
  try {
    all = await resolve(host);
  } catch {
    throw new HostRefused(502, `${host} has no address.`);
  }
  const usable = all.filter((address) => isPublicAddress(address) || isNamed(address, port, rules));
  if (usable.length === 0)
    throw new HostRefused(
      403,
      `${host} leads to ${all.join(', ')}, which is not public and which the profile of this sandbox does not name.`,
    );
  return usable;
};

const isNamed = (address: string, port: number, rules: HostRules): boolean => {
  const target = parseHostPort(isIPv4(address) ? `${address}:${port}` : `[${address}]:${port}`);
  return target !== undefined && rules.allow(target);
};

/** Node looks names up in the threads that also start programs, so they must not all wait for one. */
const MAX_LOOKUPS = 2;
let lookups = 0;
const waiting: (() => void)[] = [];

const resolveName: ResolveName = async (name) => {
  if (lookups === MAX_LOOKUPS) await new Promise<void>((go) => waiting.push(go));
  else lookups++;
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else lookups--;
  }
};

/** One after another, in the order in which the system prefers them. */
const connectToOne = async (addresses: readonly string[], port: number): Promise<Socket> => {
  const deadline = performance.now() + CONNECT_MS;
  let problem = 'no time was left';
  for (const [at, address] of addresses.entries()) {
    const leftMs = (deadline - performance.now()) / (addresses.length - at);
    try {
      return await connectTo(address, port, leftMs);
    } catch (error) {
      problem = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    }
  }
  throw new HostRefused(
    problem === 'ETIMEDOUT' ? 504 : 502,
    `Port ${port} of ${addresses.join(', ')} cannot be reached: ${problem}.`,
  );
};

const connectTo = (host: string, port: number, withinMs: number): Promise<Socket> =>
  new Promise((settle, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    socket.setTimeout(withinMs, () =>
      socket.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
    );
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      settle(socket);
    });
  });
