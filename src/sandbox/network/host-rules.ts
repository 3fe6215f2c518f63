/** Hosts that a profile names, with their ports: what they mean, and which of two lists allows more. */
import { isIPv4, isIPv6 } from 'node:net';

/** A name without its last dot, in lower case, or an address as it is usually written. */
export interface HostName {
  host: string;
  isAddress: boolean;
}

export interface HostPort extends HostName {
  port: number;
}

interface HostRule extends HostName {
  /** All names that end with it, and not itself. */
  isSuffix: boolean;
  ports: readonly number[];
}

/** Of a rule that names none: the web. */
const DEFAULT_PORTS = [80, 443];

const AUTHORITY = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
const LABEL = /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/;
const MAX_NAME = 253;
/** getaddrinfo(3) takes a name that ends with one for an address: 0x7f.1 is 127.0.0.1. */
const NUMBER = /^(\d+|0x[\da-f]*)$/;

/** Undefined if it is neither a name nor an address in its usual form. */
const parseHost = (text: string): HostName | undefined => {
  if (text.startsWith('[')) {
    const address = text.slice(1, -1);
    return isIPv6(address) ? { host: usualIPv6(address), isAddress: true } : undefined;
  }
  if (isIPv4(text)) return { host: text, isAddress: true };
  const host = text.toLowerCase().replace(/\.$/, '');
  const labels = host.split('.');
  const isName =
    host.length <= MAX_NAME &&
    labels.every((label) => LABEL.test(label)) &&
    !NUMBER.test(labels.at(-1)!);
  return isName ? { host, isAddress: false } : undefined;
};

/** One address can be written in many ways. */
const usualIPv6 = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

/** `host:port`, as in a request. Undefined if it is anything else. */
export const parseHostPort = (text: string, defaultPort?: number): HostPort | undefined => {
  const [, name = '', digits] = AUTHORITY.exec(text) ?? [];
  const found = parseHost(name);
  const port = digits === undefined ? defaultPort : Number(digits);
  if (found === undefined || port === undefined || !isPort(port)) return undefined;
  return { ...found, port };
};

const isPort = (port: number): boolean => port >= 1 && port <= 65535;

const parseRule = (text: string): HostRule | undefined => {
  const isSuffix = text.startsWith('*.');
  const [, name = '', digits] = AUTHORITY.exec(isSuffix ? text.slice(2) : text) ?? [];
  const found = parseHost(name);
  const ports = digits === undefined ? DEFAULT_PORTS : [Number(digits)];
  if (found === undefined || !ports.every(isPort) || (isSuffix && found.isAddress))
    return undefined;
  return { ...found, isSuffix, ports };
};

export const isHostRule = (text: unknown): text is string =>
  typeof text === 'string' && parseRule(text) !== undefined;

export class HostRules {
  readonly #rules: readonly HostRule[];

  constructor(texts: readonly string[]) {
    this.#rules = texts.flatMap((text) => parseRule(text) ?? []);
  }

  allow({ host, isAddress, port }: HostPort): boolean {
    return this.#rules.some((rule) =>
      covers(rule, { host, isAddress, isSuffix: false, ports: [port] }),
    );
  }

  /** Whether they allow nothing that the others do not. */
  areWithin(others: HostRules): boolean {
    return this.#rules.every(({ ports, ...rule }) =>
      ports.every((port) =>
        others.#rules.some((other) => covers(other, { ...rule, ports: [port] })),
      ),
    );
  }
}

const covers = (outer: HostRule, inner: HostRule): boolean =>
  outer.isAddress === inner.isAddress &&
  inner.ports.every((port) => outer.ports.includes(port)) &&
  (outer.isSuffix
    ? inner.host.endsWith(`.${outer.host}`) || (inner.isSuffix && inner.host === outer.host)
    : !inner.isSuffix && inner.host === outer.host);
