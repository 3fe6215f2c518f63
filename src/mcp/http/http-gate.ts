/**
 * Who may come in over HTTP: whoever has the token, unless a web page sent them.
 *
 * A page that a browser has open can make it send requests to this machine. Host shows a name that
 * was made to point here (DNS rebinding), Origin the page's own; both are checked before the token.
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

export const newToken = (): string => randomBytes(32).toString('base64url');

/** Guessing one of fewer characters is no longer hopeless. */
const SHORTEST_TOKEN = 16;

export const tokenFrom = (path: string): string => {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mode === undefined) throw new UnusableTokenFile(path, 'there is no such file');
  if ((mode & 0o077) !== 0)
    throw new UnusableTokenFile(path, 'others than its owner can read it; chmod 600 it');
  const token = readFileSync(path, 'utf8').trim();
  if (/^[\x21-\x7e]+$/.test(token) && token.length >= SHORTEST_TOKEN) return token;
  throw new UnusableTokenFile(
    path,
    `it must hold one word of at least ${SHORTEST_TOKEN} plain characters`,
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

/** `boundTo`: the address or name that the server was told to listen on. */
export const createGate = (token: string, boundTo: string) => {
  const expected = digest(`Bearer ${token}`);
  const names = [...localhostAllowedHostnames(), bracketed(boundTo)];
  const isOpen = boundTo === '0.0.0.0' || boundTo === '::';
  return ({ host, origin, authorization = '' }: GateHeaders): HttpRefusal | undefined => {
    const asked = validateHostHeader(host, names);
    // Listening on every address, we have as many; no name can be made to look like one of them.
    const isAddress =
      isOpen && !asked.ok && isIP(asked.hostname?.replace(/^\[|\]$/g, '') ?? '') > 0;
    if (!asked.ok && !isAddress) return { status: 403, message: asked.message };
    const page = validateOriginHeader(origin, names);
    if (!page.ok) return { status: 403, message: page.message };
    if (timingSafeEqual(digest(authorization), expected)) return undefined;
    return { status: 401, message: 'Give the token as "Authorization: Bearer TOKEN".' };
  };
};

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** Of equal length whatever was given, so that comparing takes equal time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
