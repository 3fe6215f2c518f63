import { describe, expect, test } from 'vitest';
import {
  bubblewrapArguments,
  isVisible,
  type MachineFacts,
  type ProgramPlace,
} from '../../src/sandbox/bubblewrap-arguments.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

const sandbox: Sandbox = {
  profile: 'workspace',
  workspace: '/home/ada/shop',
  write: ['/home/ada/shop'],
  read: 'all',
  hide: ['/home/ada/.ssh'],
  network: 'none',
  env: [],
  limits: {},
};

const machine: MachineFacts = {
  proc: { readOnly: ['/proc/sys'], folders: ['/proc/acpi'], files: ['/proc/kcore'] },
  sockets: { folders: ['/run', '/tmp'], inShown: [], files: ['/home/ada/.sock'] },
  shown: [],
  hidden: { folders: ['/home/ada/.ssh'], files: ['/home/ada/.netrc'] },
  guarded: { folders: ['/home/ada/shop/.git'], files: ['/home/ada/shop/.git/hooks'] },
  system: ['/usr', '/etc'],
  links: [['/bin', 'usr/bin']],
};

const argumentsOf = (
  change: Partial<Sandbox> = {},
  facts: Partial<MachineFacts> = {},
  place: Partial<ProgramPlace> = {},
) =>
  bubblewrapArguments(
    { ...sandbox, ...change },
    { ...machine, ...facts },
    { cwd: '/home/ada/shop', ...place },
  ).join(' ');

const beginning =
  '--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try';
const proc =
  '--dev /dev --proc /proc --ro-bind /proc/sys /proc/sys --tmpfs /proc/acpi --ro-bind /dev/null /proc/kcore';
const sockets = '--tmpfs /run --tmpfs /tmp';
const shop = '--bind /home/ada/shop /home/ada/shop';
const covers =
  '--ro-bind /dev/null /home/ada/.sock --perms 0700 --tmpfs /home/ada/.ssh --ro-bind /dev/null /home/ada/.netrc';
const guards =
  '--bind /home/ada/shop/.git /home/ada/shop/.git --ro-bind /home/ada/shop/.git/hooks /home/ada/shop/.git/hooks';
const end = '--remount-ro /home/ada/.ssh --chdir /home/ada/shop --';
const filter = '--cap-drop ALL --seccomp 3';

describe('a sandbox as arguments', () => {
  test.each<[what: string, args: string, expected: string[]]>([
    [
      'one that writes the workspace',
      argumentsOf(),
      ['--unshare-net', filter, '--ro-bind / /', proc, sockets, shop, covers, guards, end],
    ],
    [
      'one that writes nothing',
      argumentsOf({ write: [] }, { guarded: { folders: [], files: [] } }),
      ['--unshare-net', filter, '--ro-bind / /', proc, sockets, covers, end],
    ],
    [
      'one that writes all: the machine in /sys stays as it is',
      argumentsOf({ write: 'all' }, { guarded: { folders: [], files: [] } }),
      ['--unshare-net', filter, '--bind / / --ro-bind /sys /sys', proc, sockets, covers, end],
    ],
    [
      'one with a network',
      argumentsOf({ network: 'all' }),
      [filter, '--ro-bind / /', proc, sockets, shop, covers, guards, end],
    ],
    [
      'one that reads some folders alone',
      argumentsOf({ read: ['/data'] }),
      [
        '--unshare-net',
        filter,
        '--tmpfs / --ro-bind /usr /usr --ro-bind /etc /etc --symlink usr/bin /bin',
        proc,
        sockets,
        '--ro-bind /data /data',
        shop,
        covers,
        guards,
        end,
      ],
    ],
    [
      'a home in /tmp, with sockets in it',
      argumentsOf(
        {},
        { shown: ['/tmp/ada'], sockets: { ...machine.sockets, inShown: ['/tmp/ada/sockets'] } },
      ),
      [
        '--unshare-net',
        filter,
        '--ro-bind / /',
        proc,
        sockets,
        '--ro-bind /tmp/ada /tmp/ada --tmpfs /tmp/ada/sockets',
        shop,
        covers,
        guards,
        end,
      ],
    ],
    [
      'with files for the start of a shell, which may lie in what is hidden',
      argumentsOf({}, {}, { files: { read: ['/tmp/r/bash'], write: ['/tmp/r/key'] } }),
      [
        '--unshare-net',
        filter,
        '--ro-bind / /',
        proc,
        sockets,
        shop,
        covers,
        guards,
        '--ro-bind /tmp/r/bash /tmp/r/bash --bind /tmp/r/key /tmp/r/key',
        end,
      ],
    ],
  ])('%s', (_what, args, expected) => {
    expect(args).toBe([beginning, ...expected].join(' '));
  });

  test.each<[path: string, isVisible: boolean]>([
    ['/usr/bin/python3', true],
    ['/home/ada/notes', true],
    ['/home/ada/shop/src', true],
    ['/home/ada/.ssh/id', false],
    ['/home/ada/.netrc', false],
    ['/tmp/script', false],
    ['/tmp', false],
    ['/home/ada/shop/.git/hooks/pre-commit', true],
  ])('%s can be seen: %s', (path, expected) => {
    expect(isVisible(path, sandbox, machine)).toBe(expected);
  });
});
