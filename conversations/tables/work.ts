import { type Conversation, RELEASE_FILE, UNTIL_RELEASED } from '../conversation.ts';

/** A source whose optimisation takes seconds: 10^4 additions of volatile variables. */
const slowSource = `volatile int a[10000];
#define A(x) s += a[x] * s;
#define B(x) A(x) A(x+1) A(x+2) A(x+3) A(x+4) A(x+5) A(x+6) A(x+7) A(x+8) A(x+9)
#define C(x) B(x) B(x+10) B(x+20) B(x+30) B(x+40) B(x+50) B(x+60) B(x+70) B(x+80) B(x+90)
#define D(x) C(x) C(x+100) C(x+200) C(x+300) C(x+400) C(x+500) C(x+600) C(x+700) C(x+800) C(x+900)
#define E D(0) D(1000) D(2000) D(3000) D(4000) D(5000) D(6000) D(7000) D(8000) D(9000)
int main(void) { int s = 1; E E E E return s; }
`;

export const work: readonly Conversation[] = [
  {
    name: 'a compilation',
    kind: 'work',
    needs: ['gcc'],
    files: { 'slow.c': slowSource },
    open: 'gcc -O2 -o slow slow.c',
    steps: [{ expect: { working: 'anything' } }, { keys: 'C-c', expect: { exited: 'SIGINT' } }],
  },
  {
    name: 'sleep',
    kind: 'work',
    needs: ['sleep'],
    open: 'sleep 1000',
    steps: [
      { expect: { working: 'sleeping' } },
      { type: 'typed ahead', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'a busy loop',
    kind: 'work',
    needs: ['python3'],
    open: "python3 -c 'while True: pass'",
    steps: [
      { expect: { working: 'computing' } },
      { type: 'typed ahead', expect: { working: 'computing' } },
      { keys: 'C-c', shows: /KeyboardInterrupt/, expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'curl',
    kind: 'work',
    needs: ['curl'],
    scene: 'slow server',
    open: 'curl -o file $URL',
    steps: [
      { shows: /% Total/, expect: { working: 'on the network' } },
      { shows: /100 60000/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'wget',
    kind: 'work',
    needs: ['wget'],
    scene: 'slow server',
    open: 'wget --no-config -O file $URL',
    steps: [
      { shows: /awaiting response/, expect: { working: 'on the network' } },
      { shows: /saved \[60000\/60000\]/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'a silent pipeline',
    kind: 'work',
    needs: ['dash', 'sleep', 'cat', 'wc'],
    open: `dash -c '${UNTIL_RELEASED}' | cat | wc -l`,
    steps: [
      { expect: { working: 'sleeping' } },
      { release: true, shows: /^0$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'an idle server',
    kind: 'work',
    needs: ['python3'],
    open: 'python3 -u -m http.server --bind 127.0.0.1 0',
    steps: [
      { shows: /Serving HTTP/, expect: { working: 'on the network' } },
      { keys: 'C-c', shows: /Keyboard interrupt received/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'an idle server in an event loop',
    kind: 'work',
    needs: [],
    open: `$NODE -e "require('http').createServer().listen(0, '127.0.0.1', () => console.log('up'))"`,
    steps: [
      { shows: /^up$/m, expect: { working: 'on the network' } },
      { keys: 'C-c', expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'a timer in an event loop',
    kind: 'work',
    needs: [],
    open: `$NODE -e "const bell = setInterval(() => { if (!fs.existsSync('${RELEASE_FILE}')) return; clearInterval(bell); console.log('rang'); }, 100)"`,
    steps: [
      { expect: { working: 'anything' } },
      { release: true, shows: /^rang$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'tail -f',
    kind: 'work',
    needs: ['tail'],
    files: { log: 'first line\n' },
    open: 'tail -f log',
    steps: [
      { shows: /^first line$/m, expect: { working: 'anything' } },
      { keys: 'C-c', expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'dd to the disk',
    kind: 'work',
    needs: ['dd'],
    open: 'dd if=/dev/zero of=out bs=4k oflag=dsync',
    steps: [
      { expect: { working: 'anything' } },
      { keys: 'C-c', shows: /records out/, expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'a wait for a child',
    kind: 'work',
    needs: ['setsid', 'dash', 'sleep'],
    open: `setsid --wait dash -c '${UNTIL_RELEASED}'`,
    steps: [
      { expect: { working: 'waiting for a child' } },
      { release: true, expect: { exited: 0 } },
    ],
  },
  {
    name: 'a program stopped by a signal',
    kind: 'work',
    needs: ['setsid', 'dash'],
    open: `dash -c 'setsid dash -c "${UNTIL_RELEASED}; kill -CONT $$" & kill -STOP $$; echo on'`,
    steps: [
      { expect: { working: 'stopped' } },
      { release: true, shows: /^on$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'inotifywait',
    kind: 'work',
    needs: ['inotifywait', 'setsid', 'dash'],
    files: { watched: '' },
    open: `dash -c 'setsid dash -c "${UNTIL_RELEASED}; echo >>watched" & exec inotifywait -e modify watched'`,
    steps: [
      { shows: /Watches established/, expect: { working: 'anything' } },
      { release: true, shows: /^watched MODIFY/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'flock',
    kind: 'work',
    needs: ['flock', 'setsid', 'dash'],
    open: `dash -c 'setsid flock lock dash -c "${UNTIL_RELEASED}" & while flock -n lock true; do :; done; exec flock lock echo mine'`,
    steps: [
      { expect: { working: 'anything' } },
      { release: true, shows: /^mine$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'make',
    kind: 'work',
    needs: ['make'],
    files: { Makefile: `all: part\n\t@echo all done\npart:\n\t@echo part\n\t@${UNTIL_RELEASED}\n` },
    open: 'make',
    steps: [
      { shows: /^part$/m, expect: { working: 'sleeping' } },
      { release: true, shows: /^all done$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'find',
    kind: 'work',
    needs: ['find', 'dash'],
    open: `dash -c 'while :; do find /usr -name no-such-file; done'`,
    steps: [{ expect: { working: 'anything' } }, { keys: 'C-c', expect: { exited: 'SIGINT' } }],
  },
  {
    name: 'sort',
    kind: 'work',
    needs: ['seq', 'sort', 'tail'],
    open: 'seq 1 2000000 | sort -R --random-source=/dev/zero | tail -n 1',
    steps: [{ expect: { working: 'anything' } }, { keys: 'C-c', expect: { exited: 'SIGINT' } }],
  },
  {
    name: 'output stopped by Ctrl-S',
    kind: 'work',
    needs: ['dash'],
    open: `dash -c 'while :; do echo line; sleep 0.01; done'`,
    steps: [
      { shows: /^line$/m, expect: { working: 'anything' } },
      { keys: 'C-s', expect: { working: 'stopped by Ctrl-S' } },
      { keys: 'C-q', expect: { working: 'anything' } },
      { keys: 'C-c', expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'work after an unfinished line',
    kind: 'work',
    needs: ['dash', 'sleep'],
    open: `dash -c 'printf "Are you ready? "; ${UNTIL_RELEASED}; echo yes'`,
    steps: [
      { shows: /^Are you ready\?/m, expect: { working: 'sleeping' } },
      { release: true, shows: /^Are you ready\? yes$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'a progress bar',
    kind: 'work',
    needs: ['python3'],
    files: {
      'bar.py': `import os, time
step = 0
while not os.path.exists('${RELEASE_FILE}'):
    print(f'\\r{min(step, 99)}/100 ', end='', flush=True)
    step += 1
    time.sleep(0.02)
print('\\r100/100 ', end='', flush=True)
`,
    },
    open: 'python3 bar.py',
    steps: [
      { shows: /^\d+\/100/m, expect: { working: 'anything' } },
      { release: true, shows: /^100\/100/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'a gauge fed by a pipe',
    kind: 'work',
    needs: ['whiptail', 'dash'],
    open: `dash -c '(echo 10; ${UNTIL_RELEASED}; echo 100) | whiptail --gauge "Installing" 8 50 0'`,
    steps: [
      { shows: /Installing/, expect: { working: 'sleeping' } },
      { release: true, expect: { exited: 0 } },
    ],
  },
  {
    name: 'xz',
    kind: 'work',
    needs: ['xz', 'head'],
    open: 'head -c 300000000 /dev/urandom | xz -9 -T 1 | tail -c 1',
    steps: [{ expect: { working: 'computing' } }, { keys: 'C-c', expect: { exited: 'SIGINT' } }],
  },
];
