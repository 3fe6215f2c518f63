import { type Conversation, UNTIL_RELEASED, type Waiting } from '../conversation.ts';

const key = { for: 'key' } satisfies Waiting;

const likely = (why: string) => ({ for: 'key', certainty: 'likely', why }) satisfies Waiting;

const refreshing = likely('it wakes by itself to redraw');
const threads = likely('another of its threads sleeps with a time-out');
const host = likely('all that can be seen is that the shell inside it is idle');
const server = likely('what is shown comes from a server');
const eventLoop = likely('it also waits for other descriptors');

const besideTail = likely('it has started a process that follows the file');
const listening = likely('it also listens for other copies of itself');

export const fullScreen: readonly Conversation[] = [
  {
    name: 'htop',
    kind: 'full screen',
    needs: ['htop'],
    open: 'htop',
    steps: [
      { shows: /Load average/, expect: refreshing },
      { keys: 'F3', shows: /Search:/, expect: refreshing },
      { keys: 'Escape', expect: refreshing },
      { keys: 'h', shows: /htop \d/, expect: key },
      { keys: 'q', expect: refreshing },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'top',
    kind: 'full screen',
    needs: ['top'],
    open: 'top',
    steps: [
      { shows: /%CPU/, expect: refreshing },
      { keys: 'h', shows: /Help for Interactive/, expect: key },
      { keys: 'Escape', shows: /%CPU/, expect: refreshing },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'mc',
    kind: 'full screen',
    needs: ['mc'],
    files: { 'a-file': '', 'b-file': '' },
    open: 'mc -u',
    steps: [
      { shows: /a-file/, expect: key },
      { keys: 'Down', expect: key },
      { keys: 'F9', shows: /Left/, expect: key },
      { keys: 'Escape Escape', expect: key },
      { keys: 'F10', expect: { exited: 0 } },
    ],
  },
  {
    name: 'mc with its shell',
    kind: 'full screen',
    needs: ['mc', 'bash'],
    files: { 'a-file': '' },
    open: 'mc',
    env: { SHELL: '/bin/bash' },
    steps: [
      { shows: /a-file/, expect: host },
      { type: UNTIL_RELEASED, expect: { working: 'sleeping' } },
      { release: true, shows: /a-file/, expect: host },
      {
        keys: 'C-o',
        expect: {
          for: 'command',
          certainty: 'likely',
          why: 'without marks, a shell at its prompt looks like its own `read`',
        },
      },
      { keys: 'C-o', shows: /a-file/, expect: host },
      { keys: 'F10', expect: { exited: 0 } },
    ],
  },
  {
    name: 'fzf',
    kind: 'full screen',
    needs: ['fzf', 'seq'],
    open: 'seq 1 300 | fzf',
    steps: [
      { shows: /300\/300/, expect: threads },
      { text: '15', shows: /21\/300/, expect: threads },
      { keys: 'Up', expect: threads },
      { keys: 'Enter', shows: /^150$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'dialog',
    kind: 'full screen',
    needs: ['dialog'],
    open: 'dialog --menu "Choose a fruit" 14 50 5 a Apple b Banana c Cherry',
    steps: [
      { shows: /Cherry/, expect: key },
      { keys: 'Down', expect: key },
      { keys: 'Enter', expect: { exited: 0 } },
    ],
  },
  {
    name: 'whiptail',
    kind: 'full screen',
    needs: ['whiptail'],
    open: 'whiptail --inputbox "Your name?" 10 50',
    steps: [
      { shows: /Your name/, expect: key },
      { text: 'Ada', shows: /Ada/, expect: key },
      { keys: 'Tab', expect: key },
      { keys: 'Enter', expect: { exited: 0 } },
    ],
  },
  {
    name: 'tig',
    kind: 'full screen',
    needs: ['tig', 'git'],
    open: "sh -c 'git init -q . && git -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m first && exec tig'",
    steps: [
      { shows: /first/, expect: key },
      { keys: 'h', shows: /Help|Quick reference/i, expect: key },
      { keys: 'q', shows: /first/, expect: key },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'watch',
    kind: 'full screen',
    needs: ['watch'],
    open: 'watch -n 1000 echo six',
    steps: [
      { shows: /^six$/m, expect: refreshing },
      { keys: 'C-c', expect: { exited: 0 } },
    ],
  },
  {
    name: 'ncdu',
    kind: 'full screen',
    needs: ['ncdu'],
    files: { 'a-file': 'a'.repeat(5000) },
    open: 'ncdu --color off .',
    steps: [
      { shows: /a-file/, expect: key },
      { keys: '?', shows: /ncdu help|Keys/i, expect: key },
      { keys: 'q', expect: key },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'w3m',
    kind: 'full screen',
    needs: ['w3m'],
    files: {
      'page.html': '<h1>A page</h1><p><a href="#end">a link</a><p><a name="end">The end</a>',
    },
    open: 'w3m page.html',
    steps: [
      { shows: /a link/, expect: eventLoop },
      { keys: 'Tab', expect: eventLoop },
      { keys: 'q', shows: /Do you want to exit/, expect: key },
      { keys: 'y', expect: { exited: 0 } },
    ],
  },
  {
    name: 'tmux',
    kind: 'full screen',
    needs: ['tmux', 'dash'],
    files: {
      'tmux.conf': `set -g default-command "exec env PS1='d$ ' dash -i"\nset -g escape-time 0\n`,
    },
    open: 'tmux -S socket -f tmux.conf new-session',
    env: { PS1: 'd$ ' },
    steps: [
      { shows: /^d\$/m, expect: server },
      { type: 'echo $((6*7))', shows: /^42$/m, expect: server },
      { keys: 'C-b ?', expect: server },
      { keys: 'q', expect: server },
      { type: 'exit', expect: { exited: 0 } },
    ],
  },
  {
    name: 'screen',
    kind: 'full screen',
    needs: ['screen', 'dash'],
    open: 'screen -c /dev/null -s dash',
    env: { PS1: 'd$ ', SCREENDIR: '.' },
    steps: [{ expect: server }, { type: 'exit', expect: { exited: 0 } }],
  },
  {
    name: 'lynx',
    kind: 'full screen',
    needs: ['lynx'],
    files: {
      'page.html': '<h1>A page</h1><p><a href="#end">a link</a><p><a name="end">The end</a>',
    },
    open: 'lynx page.html',
    steps: [
      { shows: /a link/, expect: key },
      { keys: '/', shows: /Enter a whereis query/, expect: key },
      { type: 'end', expect: key },
      { keys: 'q', shows: /Are you sure/, expect: key },
      { keys: 'y', expect: { exited: 0 } },
    ],
  },
  {
    name: 'links',
    kind: 'full screen',
    needs: ['links'],
    files: {
      'page.html': '<h1>A page</h1><p><a href="#end">a link</a><p><a name="end">The end</a>',
    },
    open: 'links page.html',
    steps: [
      { shows: /Welcome to links/, expect: listening },
      { keys: 'Enter', shows: /a link/, expect: listening },
      { keys: 'g', shows: /Go to URL/, expect: listening },
      { keys: 'Escape', expect: listening },
      { keys: 'q', shows: /really/i, expect: listening },
      { keys: 'Enter', expect: { exited: 0 } },
    ],
  },
  {
    name: 'sc',
    kind: 'full screen',
    needs: ['sc'],
    open: 'sc',
    steps: [
      { shows: /Type '\?' for help/, expect: key },
      { text: '=6*7', shows: /6\*7/, expect: key },
      { keys: 'Enter', shows: /42/, expect: key },
      { keys: 'q', expect: key },
      { keys: 'n', expect: { exited: 0 } },
    ],
  },
  {
    name: 'visidata',
    kind: 'full screen',
    needs: ['vd'],
    files: { 'table.csv': 'name,born\nAda,1815\nCharles,1791\n' },
    open: 'vd table.csv',
    steps: [
      { shows: /Charles/, expect: key },
      { keys: '/', shows: /search/, expect: key },
      { keys: 'C-c', expect: key },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'multitail',
    kind: 'full screen',
    needs: ['multitail'],
    files: { 'a.log': 'one\ntwo\n' },
    open: 'multitail a.log',
    steps: [
      { shows: /two/, expect: besideTail },
      { keys: 'h', expect: besideTail },
      { keys: 'C-g', expect: besideTail },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
];
