/** The files of the page, as they were built, and the headers with which everything is served. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PageNotBuilt } from '../errors.ts';

const FOLDER = fileURLToPath(new URL('./page/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
};

/** Stands in index.html where the nonce belongs. */
const NONCE = '%NONCE%';

export interface ServedFile {
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** Throws if the page was not built. */
export const readPageFiles = (folder = FOLDER) => {
  const read = (name: string) => {
    if (!existsSync(`${folder}${name}`)) throw new PageNotBuilt(`${folder}${name}`);
    return readFileSync(`${folder}${name}`, 'utf8');
  };
  const index = read('index.html');
  const files = new Map(Object.keys(types).map((name) => [`/${name}`, read(name)]));
  return (path: string): ServedFile | undefined => {
    const file = files.get(path);
    if (file !== undefined)
      return { body: file, headers: { 'content-type': types[path.slice(1)]! } };
    if (!PAGES.test(path)) return undefined;
    const nonce = randomBytes(16).toString('base64url');
    return {
      body: index.replaceAll(NONCE, nonce),
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentPolicy(nonce),
      },
    };
  };
};

/** One page for all: it learns from the server what it is for. */
const PAGES = /^\/(?:secret\/|approve\/)?$/;

/** The terminal puts its colours into style elements, which get the nonce, and sizes into attributes. */
const contentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** With every answer. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
