import { serialize } from 'node:v8';
import { expect, test } from 'vitest';
import {
  BASE_FORMAT,
  findUnreadable,
  writtenFormats,
} from '../../../src/session/keeping/formats.ts';
import { encodeWritten, readLabel } from '../../../src/session/keeping/written-session.ts';
import type { SessionSnapshot } from '../../../src/session/snapshot/session-snapshot.ts';

test('what this version writes it can read', () => {
  expect(findUnreadable(writtenFormats)).toBeUndefined();
});

test.each(Object.keys(writtenFormats))(
  'another format of the %s is refused by its number',
  (name) => {
    expect(findUnreadable({ ...writtenFormats, [name]: 99 })).toMatch(
      new RegExp(`${name} is 99, and this version reads \\d`),
    );
  },
);

test('formats that a version does not name are refused', () => {
  expect(findUnreadable({})).toContain('undefined');
});

test('a session that was written down in another format is refused, with the reason', () => {
  const { label } = encodeWritten({
    session: { name: 'it', command: ['sh'] } as unknown as SessionSnapshot,
    terminal: { mark: 'x', startTime: 1, isSandbox: false },
    attachments: new Map(),
  });
  expect(readLabel(label)).toMatchObject({ name: 'it', format: BASE_FORMAT });
  const inFormat = (format?: number) => serialize({ ...readLabel(label), format });
  expect(() => readLabel(inFormat(99))).toThrow('the format of its base is 99');
  expect(() => readLabel(inFormat())).toThrow('the format of its base is undefined');
});
