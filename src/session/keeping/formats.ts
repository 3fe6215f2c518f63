/**
 * In which shape sessions are written down, and what of it this version can read.
 *
 * A daemon may be restarted as another version, which goes on with sessions that it has not written down.
 * docs/internals/keeper.md says what to do when a field is added.
 */
import { HAND_OVER_FORMAT } from '../../keeper/handed-over.ts';
import { STORE_VERSION } from '../../keeper/store-layout.ts';

/** Of a base and of the records that follow it. Another shape of a snapshot gets another number. */
export const BASE_FORMAT = 3;

export const writtenFormats = {
  store: STORE_VERSION,
  base: BASE_FORMAT,
  handOver: HAND_OVER_FORMAT,
} as const;

export type Formats = Readonly<Record<keyof typeof writtenFormats, number>>;

/** Whoever can make a session of an older base adds its number here. */
const readable: Readonly<Record<keyof Formats, readonly number[]>> = {
  store: [STORE_VERSION],
  // Its changes are JSON, and its notes of requests are objects: see `changeIn` and `readNote`.
  base: [2, BASE_FORMAT],
  handOver: [HAND_OVER_FORMAT],
};

/** Why what is written in these formats cannot be read. Undefined if it can. */
export const findUnreadable = (formats: Partial<Formats>): string | undefined => {
  for (const [name, known] of Object.entries(readable)) {
    const format = formats[name as keyof Formats];
    if (format === undefined || !known.includes(format))
      return `the format of its ${name} is ${format}, and this version reads ${known.join(' and ')}`;
  }
  return undefined;
};
