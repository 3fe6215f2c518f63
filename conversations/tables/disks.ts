import type { Conversation, Waiting } from '../conversation.ts';

const line = (prompt: RegExp) => ({ for: 'line', prompt }) satisfies Waiting;

const withDisk = (command: string) => `sh -c 'truncate -s 20M disk && exec ${command}'`;

export const disks: readonly Conversation[] = [
  {
    name: 'fdisk',
    kind: 'installer',
    needs: ['fdisk'],
    open: withDisk('fdisk disk'),
    steps: [
      { shows: /Welcome to fdisk/, expect: line(/^Command \(m for help\): $/) },
      { type: 'n', shows: /primary/, expect: line(/^Select \(default p\): $/) },
      { type: 'p', expect: line(/^Partition number .*: $/) },
      { type: '1', expect: line(/^First sector .*: $/) },
      { type: '', expect: line(/^Last sector.*: $/) },
      { type: 'nonsense', expect: line(/^Last sector.*: $/) },
      { type: '+10M', shows: /Created a new partition/, expect: line(/^Command .*: $/) },
      { type: 'w', shows: /been altered/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'gdisk',
    kind: 'installer',
    needs: ['gdisk'],
    open: withDisk('gdisk disk'),
    steps: [
      { shows: /GPT fdisk/, expect: line(/^Command \(\? for help\): $/) },
      { type: 'n', expect: line(/^Partition number .*: $/) },
      { type: '', expect: line(/^First sector .*: $/) },
      { type: '', expect: line(/^Last sector .*: $/) },
      { type: '', expect: line(/^Hex code .*: $/) },
      { type: '', expect: line(/^Command .*: $/) },
      { type: 'w', shows: /OVERWRITE/, expect: line(/\(Y\/N\): $/) },
      { type: 'y', expect: { exited: 0 } },
    ],
  },
  {
    name: 'cfdisk',
    kind: 'full screen',
    needs: ['cfdisk'],
    open: withDisk('cfdisk -z disk'),
    steps: [
      { shows: /Select label type/, expect: { for: 'key' } },
      { keys: 'Enter', shows: /Free space/, expect: { for: 'key' } },
      { keys: 'n', shows: /Partition size/, expect: { for: 'key' } },
      { keys: 'Enter', expect: { for: 'key' } },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'parted',
    kind: 'installer',
    needs: ['parted'],
    open: withDisk('parted disk'),
    steps: [
      { shows: /Welcome to GNU Parted/, expect: line(/^\(parted\) +$/) },
      { type: 'mklabel', expect: line(/^New disk label type\? +$/) },
      { type: 'msdos', expect: line(/^\(parted\) +$/) },
      {
        type: 'mkpart primary 0 10MB',
        shows: /not properly aligned/,
        expect: line(/^Ignore\/Cancel\? +$/),
      },
      { type: 'Cancel', expect: line(/^\(parted\) +$/) },
      { type: 'mklabel gpt', shows: /will be destroyed/, expect: line(/^Yes\/No\? +$/) },
      { type: 'Yes', expect: line(/^\(parted\) +$/) },
      { type: 'quit', expect: { exited: 0 } },
    ],
  },
];
