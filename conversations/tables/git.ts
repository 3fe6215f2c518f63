import { type Conversation, UNTIL_RELEASED } from '../conversation.ts';

const why = 'the editor also waits for things other than the terminal';
const likely = { certainty: 'likely', why } as const;

const vim = 'vim -u NONE -i NONE -n';
const nano = 'nano --ignorercfiles';

export const git: readonly Conversation[] = [
  {
    name: 'git add -p',
    kind: 'git',
    needs: ['git', 'sed'],
    scene: 'repository',
    open: `sh -c 'sed -i "5s/.*/five/;25s/.*/twenty-five/;45s/.*/forty-five/" poem.txt && exec git add -p'`,
    steps: [
      {
        shows: /^\+five$/m,
        expect: { for: 'line', prompt: /^\(1\/3\) Stage this hunk \[.*\]\? $/ },
      },
      {
        type: '?',
        shows: /^y - stage this hunk$/m,
        expect: { for: 'line', prompt: /^\(1\/3\) Stage this hunk \[.*\]\? $/ },
      },
      {
        type: 'y',
        shows: /^\+twenty-five$/m,
        expect: { for: 'line', prompt: /^\(2\/3\) Stage this hunk \[.*\]\? $/ },
      },
      {
        type: 'n',
        shows: /^\+forty-five$/m,
        expect: { for: 'line', prompt: /^\(3\/3\) Stage this hunk \[.*\]\? $/ },
      },
      { type: 'y', expect: { exited: 0 } },
    ],
  },
  {
    name: 'git rebase -i, with vim',
    kind: 'git',
    needs: ['git', 'vim'],
    scene: 'repository',
    open: 'git rebase -i HEAD~2',
    env: { GIT_EDITOR: vim },
    steps: [
      { shows: /^pick \w+ Improve line 30/m, expect: { for: 'key', ...likely } },
      {
        text: 'cwreword',
        shows: /^reword \w+ Improve line 30/m,
        expect: { for: 'key', ...likely },
      },
      { keys: 'Escape', expect: { for: 'key', ...likely } },
      { type: ':wq', shows: /^Improve line 30/m, expect: { for: 'key', ...likely } },
      { keys: 'A', expect: { for: 'key', ...likely } },
      { text: ' well', shows: /^Improve line 30 well/m, expect: { for: 'key', ...likely } },
      { keys: 'Escape', expect: { for: 'key', ...likely } },
      { type: ':wq', shows: /Successfully rebased/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'git rebase -i, with nano',
    kind: 'git',
    needs: ['git', 'nano'],
    scene: 'repository',
    files: { wait: UNTIL_RELEASED },
    open: 'git rebase -i --exec "sh wait" HEAD~1',
    env: { GIT_EDITOR: nano },
    steps: [
      { shows: /^pick \w+ Improve line 50/m, expect: { for: 'key' } },
      { keys: 'Down C-k', expect: { for: 'key' } },
      { text: 'exec sh wait', shows: /^exec sh wait/m, expect: { for: 'key' } },
      { keys: 'C-o', shows: /File Name to Write/, expect: { for: 'key' } },
      { keys: 'Enter', shows: /Wrote \d+ lines/, expect: { for: 'key' } },
      { keys: 'C-x', expect: { working: 'anything' } },
      { release: true, shows: /Successfully rebased/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'git commit',
    kind: 'git',
    needs: ['git', 'vim'],
    scene: 'repository',
    open: `sh -c 'printf "#!/bin/sh\\n${UNTIL_RELEASED}\\n" > .git/hooks/post-commit && chmod +x .git/hooks/post-commit && echo more >> poem.txt && exec git commit -a'`,
    env: { GIT_EDITOR: vim },
    steps: [
      { shows: /Please enter the commit message/, expect: { for: 'key', ...likely } },
      { text: 'iAdd more', shows: /^Add more/m, expect: { for: 'key', ...likely } },
      { keys: 'Escape', expect: { for: 'key', ...likely } },
      { type: ':wq', expect: { working: 'anything' } },
      { release: true, shows: /\] Add more/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'git mergetool',
    kind: 'git',
    needs: ['git', 'vim', 'bash'],
    scene: 'repository',
    open: `sh -c 'git merge rival; git config mergetool.edit.cmd "${vim} \\"\\$MERGED\\""; exec git mergetool --tool=edit --prompt'`,
    steps: [
      { shows: /CONFLICT/, expect: { for: 'line', prompt: /^Hit return to start.*: $/ } },
      { type: '', shows: /^line 1 *$/m, expect: { for: 'key', ...likely } },
      { type: '/<<<<<<<', shows: /^<<<<<<< HEAD/m, expect: { for: 'key', ...likely } },
      { type: ':g/^<<<<<<<\\|^=======\\|^>>>>>>>/d', expect: { for: 'key', ...likely } },
      { type: ':wq', expect: { exited: 0 } },
    ],
  },
  {
    name: 'git clone, asked for a password',
    kind: 'git',
    needs: ['git'],
    scene: 'website',
    open: 'git clone "$SITE/poem.git"',
    steps: [
      { shows: /Cloning/, expect: { for: 'line', prompt: /^Username for 'http:.*': $/ } },
      { type: 'ada', expect: { for: 'secret', prompt: /^Password for 'http:\/\/ada@.*': $/ } },
      { type: 'wrong', shows: /Authentication failed/, expect: { exited: 128 } },
    ],
  },
  {
    name: 'git log',
    kind: 'git',
    needs: ['git', 'less'],
    scene: 'repository',
    open: 'git log -p',
    env: { GIT_PAGER: 'less', LESS: 'R' },
    steps: [
      { shows: /Improve line 50/, expect: { for: 'key' } },
      { keys: 'Space', shows: /Write a poem/, expect: { for: 'key' } },
      { keys: 'G', shows: /^\+line 60/m, expect: { for: 'key' } },
      { text: '?Claim', expect: { for: 'key' } },
      { keys: 'Enter', shows: /Pattern not found/, expect: { for: 'key' } },
      { keys: 'Enter', expect: { for: 'key' } },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
];
