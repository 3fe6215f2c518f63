/** Sizes that change while a program draws. */
import type { HostileCase } from '../hostile-case.ts';
import { LARGE, TALL, USUAL, WIDE } from './sizes.ts';

const drawings: Record<string, string> = {
  'long lines': `${'0123456789'.repeat(300)}\r\n`,
  'wrapped lines with marks': `${'e\u0301\u4e2d'.repeat(400)}\r\n`,
  'a full-screen program': '\x1b[?1049h\x1b[2J\x1b[999;999Hx\x1b[5;1Hline\x1b[K',
  'margins and a saved cursor': '\x1b[3;9r\x1b7\x1b[9Hx\r\n\x1b8\x1b[r',
};

const changes: Record<string, HostileCase['resizes']> = {
  'from tall to wide and back': [TALL, WIDE],
  'from tall to large and back': [TALL, LARGE],
  'from small to large and back': [{ cols: 1, rows: 1 }, LARGE],
  'through many sizes': [
    USUAL,
    { cols: 2, rows: 2 },
    { cols: 20, rows: 10_000 },
    { cols: 50_000, rows: 20 },
    { cols: 20_000, rows: 50 },
    { cols: 132, rows: 1 },
    { cols: 1, rows: 60 },
  ],
};

export const resizeCases: HostileCase[] = Object.entries(changes).flatMap(([change, resizes]) =>
  Object.entries(drawings).map(([drawing, repeated]) => ({
    kind: 'resizes',
    name: `${change}, with ${drawing}`,
    repeated,
    resizes: resizes!,
  })),
);
