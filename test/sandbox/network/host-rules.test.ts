import { describe, expect, test } from 'vitest';
import { HostRules, isHostRule, parseHostPort } from '../../../src/sandbox/network/host-rules.ts';
import { isPublicAddress } from '../../../src/sandbox/network/public-addresses.ts';

const allows = (rule: string, target: string): boolean => {
  const parsed = parseHostPort(target);
  return parsed !== undefined && new HostRules([rule]).allow(parsed);
};

describe('a host in a profile', () => {
  test.each<[rule: string, target: string, isAllowed: boolean]>([
    ['example.org', 'example.org:443', true],
    ['example.org', 'example.org:80', true],
    ['example.org', 'example.org:22', false],
    ['example.org:22', 'example.org:22', true],
    ['example.org:22', 'example.org:443', false],
    ['example.org', 'EXAMPLE.org.:443', true],
    ['Example.ORG', 'example.org:443', true],
    ['example.org', 'www.example.org:443', false],
    ['example.org', 'notexample.org:443', false],
    ['example.org', 'example.org.evil.net:443', false],
    ['*.example.org', 'www.example.org:443', true],
    ['*.example.org', 'a.b.example.org:443', true],
    ['*.example.org', 'example.org:443', false],
    ['*.example.org', 'notexample.org:443', false],
    ['127.0.0.1:80', '127.0.0.1:80', true],
    ['127.0.0.1:80', '127.1:80', false],
    ['127.0.0.1:80', '2130706433:80', false],
    ['127.0.0.1:80', '0x7f000001:80', false],
    ['127.0.0.1:80', '0177.0.0.1:80', false],
    ['127.0.0.1:80', '127.0.0.1.:80', false],
    ['[::1]:80', '[0:0:0:0:0:0:0:1]:80', true],
    ['[::1]:80', '[::1%lo]:80', false],
    ['[::1]:80', '::1:80', false],
    ['127.0.0.1:80', '[::ffff:127.0.0.1]:80', false],
    ['example.org', 'user@example.org:443', false],
    ['example.org', 'example.org:443@evil.net:443', false],
    ['example.org', 'example.org:0', false],
    ['example.org', 'example.org:66000', false],
    ['example.org', 'example.org', false],
    ['example.org', 'example.org..:443', false],
    ['example.org', 'example.org\\.evil.net:443', false],
    ['example.org', 'example.org:443\r\n', false],
    ['example.org', 'exаmple.org:443', false],
  ])('%j, asked for %j: %s', (rule, target, isAllowed) => {
    expect(isHostRule(rule)).toBe(true);
    expect(allows(rule, target)).toBe(isAllowed);
  });

  test.each([
    '',
    '*',
    '*.',
    'https://example.org',
    'example.org/',
    '*.1.2.3.4',
    'a b',
    '*a.org',
    '1.2.3',
  ])('cannot be written %j', (text) => expect(isHostRule(text)).toBe(false));
});

test.each<[inner: string[], outer: string[], isWithin: boolean]>([
  [['a.org'], ['a.org', 'b.org'], true],
  [['a.org', 'b.org'], ['a.org'], false],
  [['a.org:443'], ['a.org'], true],
  [['a.org'], ['a.org:443'], false],
  [['a.org'], ['a.org:443', 'a.org:80'], true],
  [['x.a.org'], ['*.a.org'], true],
  [['*.x.a.org'], ['*.a.org'], true],
  [['*.a.org'], ['*.a.org'], true],
  [['*.a.org'], ['a.org'], false],
  [['*.a.org'], ['*.x.a.org'], false],
  [['a.org'], ['*.a.org'], false],
  [['127.0.0.1:80'], ['localhost:80'], false],
])('%j allows no more than %j: %s', (inner, outer, isWithin) => {
  expect(new HostRules(inner).areWithin(new HostRules(outer))).toBe(isWithin);
});

test.each<[address: string, isPublic: boolean]>([
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
  ['0.0.0.0', false],
  ['127.0.0.1', false],
  ['127.9.9.9', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:10.0.0.1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['198.51.100.7', false],
  // One of this machine's own, in whatever network.
  ['5.6.7.8', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address, ['5.6.7.8'])).toBe(isPublic);
});
