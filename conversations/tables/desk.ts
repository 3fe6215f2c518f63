import type { Conversation, Waiting } from '../conversation.ts';

const key = { for: 'key' } satisfies Waiting;
const line = (prompt: RegExp) => ({ for: 'line', prompt }) satisfies Waiting;
const likely = (why: string) => ({ for: 'key', certainty: 'likely', why }) satisfies Waiting;
const ticking = likely('it wakes by itself to redraw');
const timed = likely('its wait for a key has a time-out');

const editor = (prompt: RegExp) =>
  ({
    for: 'line',
    prompt,
    certainty: 'likely',
    why: 'the program that has started the editor hides what it does from an ordinary user',
  }) satisfies Waiting;

const letter = (subject: string, text: string) =>
  `From ada@example.org Mon Jan  1 00:00:00 2024\nFrom: Ada <ada@example.org>\nTo: you\nSubject: ${subject}\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nMessage-ID: <${subject}@example.org>\n\n${text}\n\n`;

const mbox = letter('engines', 'It weaves algebra.') + letter('numbers', 'See note G.');

/** What is done at a desk: mail, news, talk, dates, tasks, and a game. */
export const desk: readonly Conversation[] = [
  {
    name: 'mutt',
    kind: 'full screen',
    needs: ['mutt'],
    files: { mbox, muttrc: 'set folder=.\nset quit=ask-yes\nset wait_key=no\n' },
    open: 'mutt -n -F muttrc -f mbox',
    env: { EDITOR: 'ed' },
    steps: [
      { shows: /engines/, expect: timed },
      { keys: 'Enter', shows: /It weaves algebra/, expect: timed },
      { keys: 'i', shows: /numbers/, expect: timed },
      { type: '!sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: { for: 'key', prompt: /Press any key to continue\.\.\.$/ } },
      { keys: 'Enter', shows: /numbers/, expect: timed },
      { keys: 'm', shows: /^To:/m, expect: timed },
      { keys: 'C-g', expect: timed },
      { keys: 'q', shows: /Quit Mutt/, expect: timed },
      { keys: 'y', expect: { exited: 0 } },
    ],
  },
  {
    name: 's-nail',
    kind: 'repl',
    needs: ['s-nail'],
    files: { mbox },
    open: 's-nail -: / -f mbox',
    steps: [
      { shows: /engines/, expect: line(/^\? $/) },
      { type: 'p 1', shows: /It weaves algebra/, expect: line(/^\? $/) },
      { type: 'nonsense', shows: /[Uu]nknown command/, expect: line(/^\? $/) },
      { type: '!sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: line(/^\? $/) },
      { type: 'x', expect: { exited: 0 } },
    ],
  },
  {
    name: 'newsboat',
    kind: 'full screen',
    needs: ['newsboat'],
    files: {
      urls: 'file://feed.xml\n',
    },
    open: 'newsboat -u urls -c cache.db -C /dev/null',
    steps: [
      { shows: /feed/, expect: timed },
      { keys: '?', shows: /Help/, expect: timed },
      { keys: 'q', expect: timed },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'irssi',
    kind: 'full screen',
    needs: ['irssi'],
    open: 'irssi --home=irc',
    steps: [
      { shows: /Irssi/, expect: ticking },
      { type: '/echo six', shows: /six/, expect: ticking },
      { type: '/quit', expect: { exited: 0 } },
    ],
  },
  {
    name: 'calcurse',
    kind: 'full screen',
    needs: ['calcurse'],
    open: 'calcurse -D cal -C cal',
    steps: [
      { shows: /Welcome|Calendar/, expect: timed },
      { keys: 'Space', expect: timed },
      { keys: 'q', expect: timed },
      { keys: 'y', expect: { exited: 0 } },
    ],
  },
  {
    name: 'abook',
    kind: 'full screen',
    needs: ['abook'],
    open: 'abook --datafile people',
    steps: [
      { shows: /abook/, expect: key },
      { keys: 'a', shows: /Name/, expect: key },
      { type: 'Ada', expect: key },
      { keys: 'q', expect: key },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'task',
    kind: 'installer',
    needs: ['task'],
    open: `sh -c 'task add see note G; task 1 delete; exec task 1 done'`,
    steps: [
      { shows: /create/, expect: line(/\(yes\/no\) $/) },
      { type: 'yes', shows: /Created task/, expect: line(/\(yes\/no\) $/) },
      { type: 'no', shows: /not deleted/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'aspell',
    kind: 'full screen',
    needs: ['aspell'],
    files: { 'letter.txt': 'Dear Ada, the enginne weavs.\n' },
    open: 'aspell --lang=en -c letter.txt',
    steps: [
      { shows: /enginne/, expect: timed },
      { keys: '1', shows: /weavs/, expect: timed },
      { keys: 'i', expect: { exited: 0 } },
    ],
  },
  {
    name: 'crontab -e',
    kind: 'editor',
    needs: ['crontab', 'ed'],
    open: 'crontab -e',
    env: { VISUAL: 'ed', EDITOR: 'ed' },
    steps: [
      { expect: editor(/^$/) },
      { type: 'P', expect: editor(/^\*$/) },
      { type: '!sleep 1000', expect: { working: 'anything' } },
      { keys: 'C-c', expect: editor(/\*$/) },
      { type: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'gnugo',
    kind: 'repl',
    needs: ['gnugo'],
    open: 'gnugo --boardsize 5 --level 1',
    steps: [
      { expect: line(/^black\(1\): $/) },
      { type: 'C3', expect: line(/^black\(3\): $/) },
      { type: 'quit', expect: { exited: 0 } },
    ],
  },
];
