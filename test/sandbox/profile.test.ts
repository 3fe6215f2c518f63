import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInProfiles, parseProfile } from '../../src/sandbox/profile.ts';
import { isAsConfined, type Sandbox } from '../../src/sandbox/sandbox.ts';

const page = join(import.meta.dirname, '../../docs/guide/sandbox.md');

test('the profile in the manual is one', () => {
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8')) ?? [];
  expect(parseProfile(text, 'own.json')).toEqual({
    write: ['workspace', '~/.cache/pip'],
    read: 'all',
    hide: ['~/letters'],
    network: ['registry.npmjs.org:443', '*.example.org', '192.0.2.7:8080'],
    env: ['NPM_TOKEN'],
    limits: { memoryBytes: 2_000_000_000, cpuSeconds: 600, seconds: 3600 },
  });
});

test('an empty profile is the profile workspace', () => {
  expect(parseProfile('{}', 'own.json')).toEqual(builtInProfiles.workspace);
});

test.each([
  ['{', 'it is not JSON'],
  ['[]', 'it is not an object'],
  ['{"writes": []}', 'it has "writes", and may have write, read, hide, network, env, limits'],
  ['{"write": "~"}', '"write" must be a list of paths'],
  ['{"write": ["src"]}', 'begin with / or ~/'],
  ['{"hide": "all"}', '"hide" must be a list of paths'],
  ['{"network": "some"}', '"network" must be "none", "all" or a list'],
  ['{"network": []}', '"network" must be "none", "all" or a list'],
  ['{"network": ["https://example.org"]}', '"network" has "https://example.org"'],
  ['{"network": ["*"]}', '"network" has "*"'],
  ['{"network": ["0x7f.1:80"]}', '"network" has "0x7f.1:80"'],
  ['{"env": [1]}', '"env" must be a list'],
  ['{"limits": {"memory": 5}}', '"limits" has "memory"'],
  ['{"limits": {"seconds": 0}}', '"limits" has "seconds"'],
])('the profile %s is refused: %s', (text, reason) => {
  expect(() => parseProfile(text, 'own.json')).toThrow(reason);
});

describe('which of two sandboxes is tighter', () => {
  const home: Sandbox = {
    profile: 'outer',
    workspace: '/w',
    write: ['/w'],
    read: 'all',
    hide: ['/keys'],
    network: 'none',
    env: ['A'],
    limits: { processes: 10 },
  };
  test.each<[what: string, change: Partial<Sandbox>, isAsConfined: boolean]>([
    ['the same', {}, true],
    ['one that writes a part', { write: ['/w/src'] }, true],
    ['one that writes nothing', { write: [] }, true],
    ['one that writes elsewhere', { write: ['/w', '/v'] }, false],
    ['one whose folder only begins alike', { write: ['/w2'] }, false],
    ['one that writes all', { write: 'all' }, false],
    ['one that reads less', { read: ['/w'] }, true],
    ['one that hides more', { hide: ['/keys', '/notes'] }, true],
    ['one that hides a folder around it', { hide: ['/'] }, true],
    ['one that hides only a part of it', { hide: ['/keys/a'] }, false],
    ['one that hides nothing', { hide: [] }, false],
    ['one with a network', { network: 'all' }, false],
    ['one with fewer variables', { env: [] }, true],
    ['one with other variables', { env: ['A', 'B'] }, false],
    ['one with a lower limit', { limits: { processes: 5, seconds: 1 } }, true],
    ['one with a higher limit', { limits: { processes: 11 } }, false],
    ['one without the limit', { limits: {} }, false],
    ['one for another workspace', { workspace: '/v' }, false],
  ])('%s', (_what, change, expected) => {
    expect(isAsConfined({ ...home, ...change }, home)).toBe(expected);
  });

  test.each<[inner: Sandbox['network'], outer: Sandbox['network'], isAsConfined: boolean]>([
    ['none', ['a.org'], true],
    [['a.org'], 'none', false],
    [['a.org'], 'all', true],
    ['all', ['a.org'], false],
    [['a.org'], ['a.org', '*.b.org'], true],
    [['x.b.org:443'], ['*.b.org'], true],
    [['x.b.org:22'], ['*.b.org'], false],
    [['c.org'], ['a.org', '*.b.org'], false],
  ])('a network of %j, where %j is allowed: %s', (inner, outer, expected) => {
    expect(isAsConfined({ ...home, network: inner }, { ...home, network: outer })).toBe(expected);
  });

  test('nothing is as confined as a sandbox but a sandbox', () => {
    expect(isAsConfined(undefined, home)).toBe(false);
    expect(isAsConfined(home, undefined)).toBe(true);
    expect(isAsConfined(undefined, undefined)).toBe(true);
  });
});
