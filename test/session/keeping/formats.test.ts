import { serialize } from 'node:v8';
import { expect, test } from 'vitest';
import {
  BASE_FORMAT,
  findUnreadable,
  writtenFormats,
} from '../../../src/session/keeping/formats.ts';
import { readWritten } from '../../../src/session/keeping/kept-session.ts';

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
  const written = (format?: number) =>
    serialize({ ...(format && { format }), session: {}, terminal: {}, attachments: new Map() });
  expect(() => readWritten(written(99), [])).toThrow('the format of its base is 99');
  expect(() => readWritten(written(), [])).toThrow('the format of its base is undefined');
  expect(readWritten(written(BASE_FORMAT), []).written).toEqual({
    session: {},
    terminal: {},
    attachments: new Map(),
  });
});
