import type { Conversation, Waiting } from '../conversation.ts';

const key = { for: 'key' } satisfies Waiting;

const more = {
  for: 'key',
  prompt: /--More--/,
} satisfies Waiting;

const numbers = (count: number) =>
  Array.from({ length: count }, (_, at) => `number ${at + 1}\n`).join('');

const timed = {
  for: 'key',
  certainty: 'likely',
  why: 'its wait for a key has a time-out',
} satisfies Waiting;

export const pagers: readonly Conversation[] = [
  {
    name: 'less',
    kind: 'pager',
    needs: ['less'],
    files: { numbers: numbers(500) },
    open: 'less numbers',
    steps: [
      { shows: /^number 1$/m, expect: key },
      { keys: 'Space', shows: /^number 50$/m, expect: key },
      { keys: 'G', shows: /^number 500$[\s\S]*\(END\)/m, expect: key },
      { keys: 'g', shows: /^number 1$/m, expect: key },
      { type: '/number 300', shows: /^number 300$/m, expect: key },
      { text: '/no such', expect: key },
      { keys: 'Enter', shows: /Pattern not found/, expect: key },
      { keys: 'Enter', expect: key },
      { type: '!sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /press RETURN/, expect: { for: 'key', prompt: /press RETURN/ } },
      { keys: 'Enter', shows: /^number 300$/m, expect: key },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'less +F',
    kind: 'pager',
    needs: ['less'],
    files: { numbers: numbers(500) },
    open: 'less +F numbers',
    steps: [
      {
        shows: /Waiting for data/,
        expect: {
          for: 'key',
          certainty: 'likely',
          why: 'it sleeps between checks of the file and does not wait for the terminal',
        },
      },
      { keys: 'C-c', shows: /\(END\)/, expect: key },
      { keys: 'g', shows: /^number 1$/m, expect: key },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'more',
    kind: 'pager',
    needs: ['more'],
    files: { numbers: numbers(100) },
    open: 'more numbers',
    steps: [
      { shows: /^number 29$/m, expect: more },
      { keys: 'Space', shows: /^number 58$/m, expect: more },
      { keys: 'Enter', shows: /^number 59$/m, expect: more },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'man',
    kind: 'pager',
    needs: ['man', 'less'],
    files: {
      'demo.1': `.TH DEMO 1\n.SH NAME\ndemo \\- a page\n.SH DESCRIPTION\n${'It goes on.\n.PP\n'.repeat(60)}.SH END\nof the page\n`,
    },
    open: 'man -P less ./demo.1',
    steps: [
      { shows: /demo - a page/, expect: key },
      { keys: 'G', shows: /of the page/, expect: key },
      { keys: 'h', shows: /SUMMARY OF LESS COMMANDS/, expect: key },
      { keys: 'q', shows: /of the page/, expect: key },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'a pipeline into less',
    kind: 'pager',
    needs: ['less', 'seq'],
    open: 'seq 1 100000 | less',
    steps: [
      { shows: /^1$/m, expect: key },
      { keys: 'G', shows: /^100000$/m, expect: key },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'info',
    kind: 'pager',
    needs: ['info'],
    files: {
      'demo.info':
        '\x1f\nFile: demo.info,  Node: Top,  Next: End,  Up: (dir)\n\nThe top\n\n* Menu:\n* End::  the end\n\x1f\nFile: demo.info,  Node: End,  Prev: Top,  Up: Top\n\nThe end\n',
    },
    open: 'info -f demo.info',
    steps: [
      { shows: /The top/, expect: key },
      { keys: 'n', shows: /The end/, expect: key },
      { keys: 's', shows: /search:/, expect: key },
      { keys: 'C-g', shows: /The end/, expect: key },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'most',
    kind: 'pager',
    needs: ['most'],
    files: { numbers: Array.from({ length: 200 }, (_, at) => `number ${at + 1}\n`).join('') },
    open: 'most numbers',
    steps: [
      { shows: /number 1/, expect: timed },
      { keys: 'Space', shows: /number 40/, expect: timed },
      { keys: '/', shows: /Search/, expect: timed },
      { type: 'number 150', shows: /number 150/, expect: timed },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
];
