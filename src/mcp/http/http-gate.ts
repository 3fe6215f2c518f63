/**
 * Decides which HTTP requests are served: those with the token that no web page has sent.
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
import { UnusableTokenFile } from '../../errors.ts';

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

/** `boundTo` is the address or name on which the server listens. */
export const createHttpGate = (token: string, boundTo: string) => {
  const expected = digest(token);
  const allowedHosts = [...localhostAllowedHostnames(), bracketed(boundTo)];
  const isOnAllAddresses = boundTo === '0.0.0.0' || boundTo === '::';
  return ({ host, origin, authorization = '' }: GateHeaders): HttpRefusal | undefined => {
    const hostCheck = validateHostHeader(host, allowedHosts);
    // A server on all addresses accepts any address as Host: DNS rebinding needs a name.
    const isAllowedAddress =
      isOnAllAddresses &&
      !hostCheck.ok &&
      isIP(hostCheck.hostname?.replace(/^\[|\]$/g, '') ?? '') > 0;
    if (!hostCheck.ok && !isAllowedAddress) return { status: 403, message: hostCheck.message };
    const originCheck = validateOriginHeader(origin, allowedHosts);
    if (!originCheck.ok) return { status: 403, message: originCheck.message };
    // The scheme is written in any case (RFC 9110, 11.1).
    const [, given] = /^bearer +(.+?) *$/i.exec(authorization) ?? [];
    if (given === undefined)
      return { status: 401, message: 'Give the token as "Authorization: Bearer TOKEN".' };
    if (timingSafeEqual(digest(given), expected)) return undefined;
    return {
      status: 401,
      message:
        'The token is wrong. Each start makes a new one and prints it, unless --token-file names one.',
    };
  };
};

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** Always of the same length, so that comparing takes the same time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
