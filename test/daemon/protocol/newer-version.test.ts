import { expect, test } from 'vitest';
import { isNewerVersion } from '../../../src/daemon/protocol/newer-version.ts';

test.each([
  ['0.2.0', '0.1.9'],
  ['0.10.0', '0.9.1'],
  ['1.0.0', '0.99.99'],
  ['1.0.0', '1.0.0-rc.2'],
  ['1.0.0-rc.10', '1.0.0-rc.9'],
  ['1.0.1-rc.1', '1.0.0'],
])('%s is newer than %s, and not the other way round', (newer, older) => {
  expect(isNewerVersion(newer, older)).toBe(true);
  expect(isNewerVersion(older, newer)).toBe(false);
});

test.each([
  ['1.0.0', '1.0.0'],
  ['1.0.0+build', '1.0.0'],
  ['latest', '1.0.0'],
  ['99', '1.0.0'],
])('%s is not newer than %s', (version, than) => {
  expect(isNewerVersion(version, than)).toBe(false);
});
