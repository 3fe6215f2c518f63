import type { Conversation, Waiting } from '../conversation.ts';

const key = { for: 'key' } satisfies Waiting;
const likely = (why: string) => ({ for: 'key', certainty: 'likely', why }) satisfies Waiting;
const timed = likely('its wait for a key has a time-out');
const threads = likely('another of its threads sleeps with a time-out');

/** File managers. */
export const files: readonly Conversation[] = [
  {
    name: 'nnn',
    kind: 'full screen',
    needs: ['nnn'],
    files: { 'a-file': '', 'b-file': '' },
    open: 'nnn',
    env: { EDITOR: 'ed', PAGER: 'less' },
    steps: [
      { shows: /a-file/, expect: timed },
      { keys: 'Down', expect: timed },
      { keys: 'n', shows: /'f'ile/, expect: key },
      { keys: 'Escape', expect: timed },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'ranger',
    kind: 'full screen',
    needs: ['ranger'],
    files: { 'a-file': '', 'b-file': '' },
    open: 'ranger --clean --cmd="set flushinput false"',
    steps: [
      { shows: /a-file/, expect: timed },
      { keys: 'Down', expect: timed },
      { type: ':shell sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /a-file/, expect: timed },
      { text: ':', shows: /^:/m, expect: timed },
      { keys: 'Escape', expect: timed },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'vifm',
    kind: 'full screen',
    needs: ['vifm'],
    files: { 'a-file': '', 'b-file': '' },
    open: 'vifm .',
    steps: [
      { shows: /a-file/, expect: timed },
      { keys: 'Down', expect: timed },
      { type: ':!sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: timed },
      { type: ':q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'lf',
    kind: 'full screen',
    needs: ['lf'],
    files: { 'a-file': '', 'b-file': '' },
    open: 'lf -single',
    env: { SHELL: '/bin/sh' },
    steps: [
      { shows: /a-file/, expect: threads },
      { keys: 'Down', expect: threads },
      { type: '$sleep 1000', expect: { working: 'anything' } },
      { keys: 'C-c', shows: /a-file/, expect: threads },
      { type: ':delete', shows: /delete .*\[y\/N\]/i, expect: threads },
      { keys: 'n', expect: threads },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
];
