/**
 * Decides which HTTP requests are served: those with a token, that no foreign web page has sent.
 *
 * A page open in a browser can make the browser send requests to this machine. The Host header
 * reveals a foreign name that was made to point here (DNS rebinding), the Origin header the page's
 * site. Both are checked before the token.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { UnusableTokenFile } from '../errors.ts';

export const createAccessToken = (): string => randomBytes(32).toString('base64url');

/** A shorter token could be guessed. */
const MIN_TOKEN_LENGTH = 16;

export const readTokenFile = (path: string): string => {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mode === undefined) throw new UnusableTokenFile(path, 'there is no such file');
  if ((mode & 0o077) !== 0)
    throw new UnusableTokenFile(path, 'others than its owner can read it; chmod 600 it');
  const token = readFileSync(path, 'utf8').trim();
  if (/^[\x21-\x7e]+$/.test(token) && token.length >= MIN_TOKEN_LENGTH) return token;
  throw new UnusableTokenFile(
    path,
    `it must hold one word of at least ${MIN_TOKEN_LENGTH} plain characters`,
  );
};

export interface HttpRefusal {
  status: number;
  message: string;
}

export interface GateHeaders {
  host?: string | undefined;
  origin?: string | undefined;
  authorization?: string | undefined;
}

const allowedHostsOf = (boundTo: string) => [...localhostAllowedHostnames(), bracketed(boundTo)];

const createHostGate = (boundTo: string) => {
  const allowedHosts = allowedHostsOf(boundTo);
  const isOnAllAddresses = boundTo === '0.0.0.0' || boundTo === '::';
  return (host: string | undefined): HttpRefusal | undefined => {
    const check = validateHostHeader(host, allowedHosts);
    if (check.ok) return undefined;
    // A server on all addresses accepts any address as Host: DNS rebinding needs a name.
    const address = check.hostname?.replace(/^\[|\]$/g, '') ?? '';
    if (isOnAllAddresses && isIP(address) > 0) return undefined;
    return { status: 403, message: check.message };
  };
};

/**
 * For a server that one token opens, and that pages of other servers on this machine may use too.
 * `boundTo` is the address or name on which the server listens.
 */
export const createHttpGate = (token: string, boundTo: string) => {
  const refuseHost = createHostGate(boundTo);
  const allowedHosts = allowedHostsOf(boundTo);
  return (headers: GateHeaders): HttpRefusal | undefined => {
    const refusal = refuseHost(headers.host);
    if (refusal !== undefined) return refusal;
    const originCheck = validateOriginHeader(headers.origin, allowedHosts);
    if (!originCheck.ok) return { status: 403, message: originCheck.message };
    const given = bearerToken(headers);
    if (given === undefined)
      return { status: 401, message: 'Give the token as "Authorization: Bearer TOKEN".' };
    if (isSameToken(given, token)) return undefined;
    return {
      status: 401,
      message:
        'The token is wrong. Each start makes a new one and prints it, unless --token-file names one.',
    };
  };
};

/**
 * For a server whose own page alone may use it: the Host has its port, and an Origin is this very server.
 * `needsOrigin`: a browser sends none with a link, and always one with a WebSocket.
 */
export const createPageGate = (boundTo: string, port: number) => {
  const refuseHost = createHostGate(boundTo);
  return (headers: GateHeaders, { needsOrigin = false } = {}): HttpRefusal | undefined => {
    const { host, origin } = headers;
    const refusal = refuseHost(host);
    if (refusal !== undefined) return refusal;
    // A browser leaves out the port if it is that of the scheme.
    const hasPort = host?.endsWith(`:${port}`) || (port === 80 && !/:\d+$/.test(host ?? ''));
    if (!hasPort) return { status: 403, message: `Not this server's port: ${host}` };
    if (origin === undefined && !needsOrigin) return undefined;
    if (origin?.toLowerCase() === `http://${host?.toLowerCase()}`) return undefined;
    return { status: 403, message: `Not this server's own page: ${origin ?? 'no Origin'}` };
  };
};

export const bearerToken = ({ authorization = '' }: GateHeaders): string | undefined =>
  // The scheme is written in any case (RFC 9110, 11.1).
  /^bearer +(.+?) *$/i.exec(authorization)?.[1];

export const isSameToken = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** Always of the same length, so that comparing takes the same time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
