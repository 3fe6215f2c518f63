/** Which addresses are in the network at large: neither this machine nor what only its neighbours reach. */
import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** From the registries of special-purpose addresses (RFC 6890), and those that stand for an IPv4 address. */
const special = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  special.addSubnet(network, bits, 'ipv6');

const globalIPv6 = new BlockList();
globalIPv6.addSubnet('2000::', 3, 'ipv6');

export const isPublicAddress = (
  address: string,
  own: readonly string[] = ownAddresses(),
): boolean => {
  if (own.includes(address)) return false;
  return isIPv4(address)
    ? !special.check(address, 'ipv4')
    : globalIPv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
};

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
