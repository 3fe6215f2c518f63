import { describe, expect, test } from 'vitest';
import { bridgeCommand } from '../../src/hosts/host-address.ts';
import { readHosts } from '../../src/hosts/hosts-file.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const settings = { runtimeFolder: '/run/user/1/repartee', mayAsk: false };

describe('the address of a host', () => {
  test.each([
    ['ssh://box', ['--', 'box']],
    ['ssh://ann@box', ['-l', 'ann', '--', 'box']],
    ['ssh://ann@box.example.org:2222', ['-l', 'ann', '-p', '2222', '--', 'box.example.org']],
    ['ssh://[::1]:22', ['-p', '22', '--', '::1']],
  ])('%s is given to ssh', (address, where) => {
    const { program, args } = bridgeCommand(address, settings);
    expect(program).toBe('ssh');
    expect(args.slice(-1 - where.length)).toEqual([...where, 'exec repartee connect']);
    expect(args).toContain('ControlPath=/run/user/1/repartee/ssh-%C');
    expect(args).toContain('BatchMode=yes');
  });

  test('lets ssh ask for a password only where a person is', () => {
    expect(bridgeCommand('ssh://box', { ...settings, mayAsk: true }).args).toContain(
      'BatchMode=no',
    );
  });

  test('names a container of docker, or any command', () => {
    expect(bridgeCommand('docker://dev', settings)).toEqual({
      program: 'docker',
      args: ['exec', '-i', 'dev', 'repartee', 'connect'],
    });
    expect(bridgeCommand('command:podman exec -i dev repartee connect', settings)).toEqual({
      program: '/bin/sh',
      args: ['-c', 'podman exec -i dev repartee connect'],
    });
  });

  test.each([
    ...['box', 'http://box', 'command:', 'ssh://', 'ssh://-oProxyCommand=x', 'ssh://-l@box'],
    ...['ssh://box:port', 'ssh://a b', 'ssh://ann@-x', 'docker://', 'docker://--privileged'],
  ])('"%s" is none', (address) => {
    expect(() => bridgeCommand(address, settings)).toThrow(
      expect.objectContaining({ code: 'UNUSABLE_HOST' }),
    );
  });
});

describe('hosts.json', () => {
  test('has addresses by name, and need not be there', () => {
    const folder = folderWith({ 'hosts.json': '{"box": "ssh://box", "dev": "docker://dev"}' });
    expect([...readHosts(`${folder}/hosts.json`)]).toEqual([
      ['box', 'ssh://box'],
      ['dev', 'docker://dev'],
    ]);
    expect(readHosts(`${folder}/none.json`).size).toBe(0);
  });

  test.each(['{', '[]', '{"a/b": "ssh://box"}', '{"box": 1}', 'null'])('%s is refused', (text) => {
    const folder = folderWith({ 'hosts.json': text });
    expect(() => readHosts(`${folder}/hosts.json`)).toThrow(
      expect.objectContaining({ code: 'UNUSABLE_HOST' }),
    );
  });
});
