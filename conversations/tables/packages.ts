import type { Conversation } from '../conversation.ts';

const why = 'it also waits for things other than the terminal';
const likely = { certainty: 'likely', why } as const;

export const packages: readonly Conversation[] = [
  {
    name: 'apt-get install',
    kind: 'packages',
    needs: ['apt-get', 'dpkg', 'dpkg-deb'],
    scene: 'packages',
    open: 'apt-get install greeter',
    steps: [
      {
        shows: /greeter-data/,
        expect: { for: 'line', prompt: /^Do you want to continue\? \[Y\/n\] $/ },
      },
      {
        type: 'y',
        shows: /greeting only/,
        expect: {
          for: 'line',
          prompt: /^Do you accept the licence\? \[yes\/no\] $/,
          certainty: 'likely',
          why: 'apt, which relays it, wakes by itself',
        },
      },
      { type: 'yes', expect: { working: 'anything' } },
      { release: true, shows: /Setting up greeter \(1\)/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'apt-get install, refused',
    kind: 'packages',
    needs: ['apt-get', 'dpkg', 'dpkg-deb'],
    scene: 'packages',
    open: 'apt-get install greeter',
    steps: [
      { expect: { for: 'line', prompt: /^Do you want to continue\? \[Y\/n\] $/ } },
      { type: 'n', shows: /^Abort\.$/m, expect: { exited: 1 } },
    ],
  },
  {
    name: "dpkg's configuration file question",
    kind: 'packages',
    needs: ['dpkg', 'dpkg-deb', 'less'],
    scene: 'packages',
    open: '$DPKG -i "$FOLDER/keeper.deb"',
    env: { PAGER: 'less', LESS: '' },
    steps: [
      {
        shows: /Configuration file '\/etc\/keeper.conf'/,
        expect: { for: 'line', prompt: /\(Y\/I\/N\/O\/D\/Z\) \[default=N\] \? $/ },
      },
      { type: 'd', shows: /but mine/, expect: { for: 'key' } },
      { keys: 'q', expect: { for: 'line', prompt: /\[default=N\] \? $/ } },
      { type: 'y', shows: /Installing new version/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'debconf, in windows',
    kind: 'packages',
    needs: ['debconf', 'whiptail'],
    scene: 'debconf',
    open: '"$ASK"',
    env: { DEBIAN_FRONTEND: 'dialog' },
    steps: [
      { shows: /Do you accept the licence/, expect: { for: 'key' } },
      { keys: 'Left', expect: { for: 'key' } },
      { keys: 'Enter', expect: { working: 'anything' } },
      { release: true, shows: /Whom shall it greet/, expect: { for: 'key' } },
      { text: 'Ada', shows: /Ada/, expect: { for: 'key' } },
      { keys: 'Enter', shows: /Hello Ada/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'debconf, in lines',
    kind: 'packages',
    needs: ['debconf'],
    scene: 'debconf',
    open: '"$ASK"',
    env: { DEBIAN_FRONTEND: 'readline' },
    steps: [
      { expect: { for: 'line', prompt: /Do you accept the licence\? .*\[yes\/no\] $/ } },
      { type: 'yes', expect: { working: 'anything' } },
      { release: true, expect: { for: 'line', prompt: /Whom shall it greet\? $/ } },
      { type: 'Ada', shows: /Hello Ada/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'npm init',
    kind: 'packages',
    needs: ['npm'],
    open: 'npm init',
    env: { npm_config_update_notifier: 'false', npm_config_offline: 'true' },
    steps: [
      {
        shows: /This utility will walk you/,
        expect: { for: 'line', prompt: /^package name: \(.*\) $/, ...likely },
      },
      { type: 'demo', expect: { for: 'line', prompt: /^version: \(1\.0\.0\) $/, ...likely } },
      {
        type: 'one',
        shows: /Invalid version/,
        expect: { for: 'line', prompt: /^version: \(1\.0\.0\) $/, ...likely },
      },
      { type: '1.2.3', expect: { for: 'line', prompt: /^description: $/, ...likely } },
      { type: '', expect: { for: 'line', prompt: /^entry point: \(.*\) $/, ...likely } },
      { type: '', expect: { for: 'line', prompt: /^test command: $/, ...likely } },
      { type: '', expect: { for: 'line', prompt: /^git repository: $/, ...likely } },
      { type: '', expect: { for: 'line', prompt: /^keywords: $/, ...likely } },
      { type: '', expect: { for: 'line', prompt: /^author: $/, ...likely } },
      { type: 'Ada', expect: { for: 'line', prompt: /^license: \(.*\) $/, ...likely } },
      // What comes next depends on the version.
      { keys: 'C-c', shows: /canceled/, expect: { exited: 0 } },
    ],
  },
];
