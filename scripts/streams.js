/**
 * The programs whose output is recorded into test/streams, as data.
 *
 * `run` is a shell command line. Steps: a string is typed; `see` waits until the screen shows a text,
 * `look` writes the screen into the recording as what is expected, `size` resizes, `end` waits for
 * the exit. Typing waits until the screen has been still for a moment.
 */

const look = { look: true };
const end = { end: true };
const see = (text) => ({ see: text });

const UP = '\x1b[A';
const DOWN = '\x1b[B';
const ENTER = '\r';
const ESC = '\x1b';
const F9 = '\x1b[20~';

export const streams = [
  {
    name: 'vim',
    run: 'vim -u NONE -N notes.txt',
    steps: [
      see('notes.txt'),
      ':syntax on\r',
      'Ofirst line',
      ESC,
      ':set number hlsearch\r',
      '/the\r',
      'ddp',
      look,
    ],
  },
  {
    name: 'vim-resized',
    run: 'vim -u NONE -N -O notes.txt table.txt',
    steps: [
      see('table.txt'),
      look,
      { size: [100, 30] },
      look,
      { size: [60, 15] },
      'ihello',
      look,
      ESC,
      ':qa!\r',
      end,
      look,
    ],
  },
  {
    name: 'less',
    run: 'less long.txt',
    steps: [see('line 1'), look, ' ', ' ', '/line 150\r', look, 'G', 'q', end, look],
  },
  { name: 'man', run: 'MANPAGER=less man ./demo.1', steps: [see('NAME'), ' ', look, 'q', end] },
  { name: 'htop', run: 'htop', steps: [see('Load average'), DOWN, DOWN, { still: 4000 }, look] },
  { name: 'top', run: 'top -d 0.5', steps: [see('%CPU'), { still: 20_000 }, look, 'q', end] },
  {
    name: 'nano',
    run: 'nano notes.txt',
    steps: [
      see('GNU nano'),
      'typed here',
      DOWN,
      '\x0b',
      '\x0f',
      look,
      '\x03',
      '\x18',
      'n',
      end,
      look,
    ],
  },
  {
    name: 'mc',
    run: 'mc -u',
    steps: [see('Quit'), DOWN, DOWN, look, F9, look, `${ESC}${ESC}`],
  },
  {
    name: 'fzf',
    run: 'fzf < long.txt',
    steps: [see('300/300'), '15', UP, UP, look, ENTER, end, look],
  },
  {
    name: 'fzf-inline',
    run: 'echo before; fzf --height 8 --layout reverse < long.txt; echo after',
    steps: [see('300/300'), '99', DOWN, look, ENTER, end, look],
  },
  {
    name: 'dialog',
    run: 'dialog --menu "Choose a fruit" 14 50 5 a Apple b Banana c Cherry d Damson',
    steps: [see('Cherry'), DOWN, DOWN, look, ENTER, end],
  },
  {
    name: 'whiptail',
    run: 'whiptail --checklist "Toppings" 15 50 5 1 Cheese on 2 Olives off 3 Onions off',
    steps: [see('Olives'), DOWN, ' ', look, '\t', ENTER, end],
  },
  { name: 'tig', run: 'tig', steps: [see('commit 12'), DOWN, DOWN, ENTER, look, 'q', 'q', end] },
  { name: 'w3m', run: 'w3m page.html', steps: [see('A page'), '\t', '\t', look, 'q', 'y', end] },
  {
    name: 'tmux',
    run: 'tmux -L demo -f tmux.conf new-session "sh"',
    steps: [
      see('#'),
      'seq 1 40\r',
      '\x02%',
      'ls\r',
      '\x02"',
      'echo below\r',
      { still: 500 },
      look,
      '\x02d',
      end,
    ],
  },
  {
    name: 'npm-install',
    run: 'npm install --no-audit --no-fund --registry http://127.0.0.1:$PORT/registry/ dep-0 dep-1 dep-2 dep-3 dep-4 dep-5 dep-6 dep-7 dep-8 dep-9',
    steps: [end, look],
  },
  {
    name: 'apt-install',
    run: 'apt install -y ./demo-a.deb ./demo-b.deb; apt purge -y demo-a demo-b',
    steps: [end, look],
  },
  {
    name: 'pip-download',
    run: 'python3 -m pip download --no-cache-dir --disable-pip-version-check --no-index --find-links http://127.0.0.1:$PORT/ -d out demo',
    steps: [end, look],
  },
  { name: 'tqdm', run: 'python3 bars.py', steps: [end, look] },
  { name: 'rich', run: 'python3 rich-progress.py', steps: [end, look] },
  {
    name: 'curl',
    run: 'curl -o out.bin http://127.0.0.1:$PORT/big.bin',
    steps: [end, look],
  },
  {
    name: 'curl-bar',
    run: 'curl -# -o out.bin http://127.0.0.1:$PORT/small.bin',
    steps: [end, look],
  },
  {
    name: 'wget',
    run: 'wget --progress=bar:force -O out.bin http://127.0.0.1:$PORT/small.bin',
    steps: [end, look],
  },
  {
    name: 'rsync',
    run: 'rsync --progress --bwlimit=90k big.bin long.txt copy/',
    steps: [end, look],
  },
  { name: 'docker-style', run: 'python3 layers.py', steps: [end, look] },
  { name: 'spinner', run: 'python3 spinner.py', steps: [end, look] },
  {
    name: 'git-log',
    run: 'git log --graph --stat --color=always',
    steps: [see('commit'), look, ' ', ' ', look, 'q', end, look],
  },
  {
    name: 'git-add-p',
    run: 'git add -p',
    steps: [see('Stage this hunk'), '?\r', 'y\r', see('Stage this hunk'), look, 'q\r', end, look],
  },
  { name: 'traceback', run: 'python3 crash.py', steps: [end, look] },
  {
    name: 'python',
    run: 'python3 -q',
    steps: [
      see('>>>'),
      'for i in range(3):\r',
      '    print(i)\r',
      '\r',
      '1/0\r',
      UP,
      UP,
      look,
      '\x15',
      '\x04',
      end,
    ],
  },
  {
    name: 'bash',
    run: 'bash --norc --noprofile -i',
    steps: [
      see('$'),
      'echo one two three four five six seven eight nine ten eleven twelve thirteen fourteen\r',
      'ls --color=always\r',
      '\x12echo',
      '\x05',
      '\x01X\x04\x05 more',
      '\x15',
      'cat no',
      '\t',
      look,
      '\r',
      'exit\r',
      end,
      look,
    ],
  },
  {
    name: 'bash-resized',
    run: 'bash --norc --noprofile -i',
    steps: [
      see('$'),
      'seq 1 30 | tr "\\n" " "; echo; seq 1 60\r',
      'echo a command line that is long enough to be wrapped when the terminal gets narrow',
      { size: [40, 12] },
      look,
      '\r',
      { size: [100, 40] },
      look,
      'exit\r',
      end,
    ],
  },
  {
    name: 'fish',
    run: 'fish --no-config',
    steps: [see('#'), 'echo hel', { still: 500 }, 'lo\r', 'ls no\t', look, '\x03', 'exit\r', end],
  },
  {
    name: 'sqlite3',
    run: 'sqlite3 -box',
    steps: [
      see('sqlite>'),
      'select 1 as id, "text" as name union select 22, "another";\r',
      'oops;\r',
      look,
      '.quit\r',
      end,
    ],
  },
  { name: 'emoji', run: 'cat emoji.txt', steps: [end, look] },
  { name: 'cjk', run: 'cat cjk.txt; less cjk.txt', steps: [see('cjk.txt'), look, 'q', end, look] },
  {
    name: 'right-to-left',
    run: 'cat rtl.txt; vim -u NONE -N rtl.txt',
    steps: [see('rtl.txt'), look, ':q\r', end, look],
  },
  { name: 'colours', run: 'python3 colours.py', steps: [end, look] },
];
