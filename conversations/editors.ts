import type { Conversation, Waiting } from './conversation.ts';

const key = { for: 'key' } satisfies Waiting;

const oneOfMany = (why: string) => ({ for: 'key', certainty: 'likely', why }) satisfies Waiting;

const vim = oneOfMany('its wait for a key has a time-out');

const notes = 'the first note\nthe second note\n';

export const editors: readonly Conversation[] = [
  {
    name: 'vim',
    kind: 'editor',
    needs: ['vim'],
    files: { 'notes.txt': notes },
    open: 'vim -u NONE -N -n -i NONE notes.txt',
    steps: [
      { shows: /the second note/, expect: vim },
      { text: 'Oa line before', shows: /^a line before$/m, expect: vim },
      { keys: 'Escape', expect: vim },
      { type: ':s/before/added/', shows: /^a line added$/m, expect: vim },
      { text: ':wq', shows: /^:wq$/m, expect: vim },
      { keys: 'C-c', expect: vim },
      { type: ':!sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /Press ENTER/, expect: vim },
      { keys: 'Enter', shows: /^a line added$/m, expect: vim },
      { type: ':wq', expect: { exited: 0 } },
    ],
  },
  {
    name: 'nano',
    kind: 'editor',
    needs: ['nano'],
    files: { 'notes.txt': notes },
    open: 'nano -I notes.txt',
    steps: [
      { shows: /the second note/, expect: key },
      { text: 'typed ', shows: /^typed the first note$/m, expect: key },
      { keys: 'C-o', shows: /File Name to Write: notes\.txt/, expect: key },
      { keys: 'Enter', shows: /Wrote 2 lines/, expect: key },
      { text: 'more ', shows: /^typed more the first note$/m, expect: key },
      { keys: 'C-x', shows: /Save modified buffer/, expect: key },
      { keys: 'n', expect: { exited: 0 } },
    ],
  },
  {
    name: 'ed',
    kind: 'editor',
    needs: ['ed'],
    files: { 'notes.txt': notes },
    open: "ed -p 'ed: ' notes.txt",
    steps: [
      { shows: /^31$/m, expect: { for: 'line', prompt: /^ed: $/ } },
      { type: '2p', shows: /^the second note$/m, expect: { for: 'line', prompt: /^ed: $/ } },
      { type: 'a', expect: { for: 'line' } },
      { type: 'the third note', expect: { for: 'line' } },
      { type: '.', expect: { for: 'line', prompt: /^ed: $/ } },
      { type: '!sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: { for: 'line', prompt: /^ed: $/ } },
      { type: 'nonsense', shows: /^\?$/m, expect: { for: 'line', prompt: /^ed: $/ } },
      { type: 'w', shows: /^46$/m, expect: { for: 'line', prompt: /^ed: $/ } },
      { type: 'q', expect: { exited: 1 } },
    ],
  },
  {
    name: 'mg',
    kind: 'editor',
    needs: ['mg'],
    files: { 'notes.txt': notes },
    open: 'mg -n notes.txt',
    steps: [
      { shows: /the second note/, expect: key },
      { text: 'typed ', shows: /^typed the first note$/m, expect: key },
      { keys: 'M-x', shows: /^M-x/m, expect: key },
      { keys: 'C-g', expect: key },
      { keys: 'C-x C-s', shows: /Wrote/, expect: key },
      { keys: 'C-x C-c', expect: { exited: 0 } },
    ],
  },
  {
    name: 'joe',
    kind: 'editor',
    needs: ['joe'],
    files: { 'notes.txt': notes },
    open: 'joe notes.txt',
    steps: [
      { shows: /the second note/, expect: key },
      { text: 'typed ', shows: /^typed the first note$/m, expect: key },
      { keys: 'C-c', shows: /Lose changes/, expect: key },
      { keys: 'y', expect: { exited: 0 } },
    ],
  },
];
