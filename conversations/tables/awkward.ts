import type { Conversation, Waiting, Working } from '../conversation.ts';

const line = (prompt: RegExp) => ({ for: 'line', prompt }) satisfies Waiting;

const command = {
  for: 'command',
  certainty: 'likely',
  why: 'without marks, a shell at its prompt looks like its own `read`',
} satisfies Waiting;

const likelyLine = (prompt: RegExp, why: string) =>
  ({ for: 'line', prompt, certainty: 'likely', why }) satisfies Waiting;

/** Asks once by each call with which one can wait. */
const everyWait = `
import os, select, asyncio
def answer(): return os.read(0, 100).decode().strip()
def ask(how): print(how + '? ', end='', flush=True)
ask('read'); print('got', answer(), flush=True)
ask('readv'); b = bytearray(100); n = os.readv(0, [b]); print('got', b[:n].decode().strip(), flush=True)
ask('select'); select.select([0], [], []); print('got', answer(), flush=True)
p = select.poll(); p.register(0, select.POLLIN)
ask('poll'); p.poll(); print('got', answer(), flush=True)
e = select.epoll(); e.register(0, select.EPOLLIN)
ask('epoll'); e.poll(); print('got', answer(), flush=True)
ask('poll for a time'); p.poll(100000); print('got', answer(), flush=True)
r, w = os.pipe()
ask('select with a pipe'); select.select([0, r], [], []); print('got', answer(), flush=True)
`;

/** One thread reads lines, the first computes with what it gets. */
const readerThread = `
import queue, sys, threading, time
lines = queue.SimpleQueue()
def read():
    while True:
        line = sys.stdin.readline()
        lines.put(line)
        if not line: return
threading.Thread(target=read).start()
while True:
    print('> ', end='', flush=True)
    line = lines.get()
    if not line: break
    end = time.process_time() + float(line)
    while time.process_time() < end: pass
    print('done', line, end='', flush=True)
`;

const manyThreads = `
import threading
end = threading.Event()
threads = [threading.Thread(target=end.wait) for _ in range(200)]
for thread in threads: thread.start()
while (line := input('many> ')) != 'end': print(line.upper())
end.set()
`;

/** Does its work in slices of 10 ms and looks for a key between them. */
const polling = `
import select, sys, time, tty
print('q ends it')
tty.setcbreak(0)
while True:
    if select.select([0], [], [], 0)[0] and sys.stdin.read(1) == 'q': break
    time.sleep(0.01)
`;

const pollingWithTimeout = `
import select, sys, time, tty
print('q ends it')
tty.setcbreak(0)
while True:
    if select.select([0], [], [], 0.01)[0] and sys.stdin.read(1) == 'q': break
    end = time.perf_counter() + 0.005
    while time.perf_counter() < end: pass
`;

const workOrPause: Working = {
  working: 'anything',
  orGuess: 'it looks for a key between its work, and is silent',
};

const keyServer = `
const server = require('http').createServer().listen(0, '127.0.0.1', () => {
  console.log('press q to quit');
  process.stdin.setRawMode(true);
  process.stdin.on('data', (key) => {
    if (String(key) === 'q') process.exit(0);
    console.log('key', String(key));
  });
});
`;

const lineServer = `
import http.server, threading
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
while (line := input('server> ')) != 'stop': print('no such command:', line)
`;

/** Its first thread is gone; another asks. */
const leaderless = `#include <pthread.h>
#include <stdio.h>
static void *ask(void *nothing) {
  char line[100];
  printf("who is there? ");
  fflush(stdout);
  if (fgets(line, sizeof line, stdin)) printf("hello %s", line);
  fflush(stdout);
  _Exit(0);
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, ask, NULL);
  pthread_exit(NULL);
}
`;

const clock = `
import select, sys, time, tty
tty.setcbreak(0)
sys.stdout.write('\\x1b[?1049h')
n = 0
while True:
    n += 1
    sys.stdout.write(f'\\x1b[H\\x1b[Jtick {n}'); sys.stdout.flush()
    if select.select([0], [], [], 0.5)[0] and sys.stdin.read(1) == 'q': break
sys.stdout.write('\\x1b[?1049l')
`;

export const awkward: readonly Conversation[] = [
  {
    name: 'cat',
    kind: 'awkward',
    needs: ['cat'],
    open: 'cat',
    steps: [
      { expect: { for: 'line' } },
      { text: 'half', shows: /^half$/m, expect: line(/^half$/) },
      { text: ' a line', expect: line(/^half a line$/) },
      { keys: 'Enter', shows: /^half a line\n+half a line$/m, expect: { for: 'line' } },
      { text: 'pushed', expect: line(/^pushed$/) },
      { keys: 'C-d', shows: /^pushedpushed$/m, expect: line(/^pushedpushed$/) },
      { keys: 'Enter', expect: { for: 'line' } },
      { keys: 'C-d', expect: { exited: 0 } },
    ],
  },
  {
    name: 'cat stopped by Ctrl-S',
    kind: 'awkward',
    needs: ['cat'],
    open: 'cat',
    steps: [
      { expect: { for: 'line' } },
      { keys: 'C-s', expect: { for: 'line' } },
      { type: 'unseen', expect: { working: 'stopped by Ctrl-S' } },
      { keys: 'C-q', shows: /^unseen\n+unseen$/m, expect: { for: 'line' } },
      { keys: 'C-c', expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'a question in a pipeline',
    kind: 'awkward',
    needs: ['python3', 'cat'],
    open: `python3 -c 'print("hello", input("name? "))' | cat`,
    steps: [
      { expect: line(/^name\? $/) },
      { type: 'Ada', shows: /^hello Ada$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'a question to /dev/tty from within a pipeline',
    kind: 'awkward',
    needs: ['dash', 'seq'],
    open: `seq 3 | dash -c 'while read n; do printf "keep $n? "; read answer </dev/tty; test "$answer" = y && echo "kept $n"; done; exit 0'`,
    steps: [
      { expect: line(/^keep 1\? $/) },
      { type: 'y', shows: /^kept 1$/m, expect: line(/^keep 2\? $/) },
      { type: 'n', expect: line(/^keep 3\? $/) },
      { type: 'y', shows: /^kept 3$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'xargs -p',
    kind: 'awkward',
    needs: ['seq', 'xargs', 'echo'],
    open: 'seq 2 | xargs -p -n 1 echo number',
    steps: [
      { expect: line(/^echo number 1\s?\?\.\.\.$/) },
      { type: 'y', shows: /^number 1$/m, expect: line(/\?\.\.\.$/) },
      { type: 'n', expect: { exited: 0 } },
    ],
  },
  {
    name: 'rm -i',
    kind: 'awkward',
    needs: ['rm'],
    files: { one: '', two: 'x' },
    open: 'rm -i one two',
    steps: [
      { expect: line(/^rm: remove regular empty file 'one'\? $/) },
      { type: 'y', expect: line(/^rm: remove regular file 'two'\? $/) },
      { type: 'n', expect: { exited: 0 } },
    ],
  },
  {
    name: 'jobs of a shell',
    kind: 'awkward',
    needs: ['bash', 'sleep', 'cat'],
    open: 'bash --norc -i',
    env: { PS1: 'b$ ' },
    steps: [
      { expect: command },
      { type: 'while :; do sleep 0.01; done &', shows: /\[1\]/, expect: command },
      { type: 'cat', expect: { for: 'line' } },
      { keys: 'C-z', shows: /Stopped/, expect: command },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-z', shows: /Stopped[\s\S]*Stopped/, expect: command },
      { type: 'fg %2', expect: { for: 'line' } },
      { type: 'cat goes on', shows: /^cat goes on\n+cat goes on$/m, expect: { for: 'line' } },
      { keys: 'C-d', expect: command },
      { type: '(read -p "sub? " x; echo "in a subshell: $x")', expect: line(/^sub\? $/) },
      { type: 'yes', shows: /^in a subshell: yes$/m, expect: command },
      { type: 'cat &', shows: /\[4\]|\[2\]/, expect: command },
      { type: 'kill -9 $(jobs -p) $$', expect: { exited: 'SIGKILL' } },
    ],
  },
  {
    name: 'script',
    kind: 'awkward',
    needs: ['script', 'bash', 'python3'],
    open: "script -q -c 'bash --norc -i' typescript",
    env: { PS1: 'b$ ' },
    steps: [
      { expect: { ...command, prompt: /^b\$ $/ } },
      { type: 'echo $((6*7))', shows: /^42$/m, expect: command },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: command },
      { type: 'python3 -q', expect: line(/^>>> $/) },
      { type: '6*7000', shows: /^42000$/m, expect: line(/^>>> $/) },
      { keys: 'C-d', expect: command },
      { type: 'read -s x', expect: { for: 'secret' } },
      { type: '1234', expect: command },
      { type: 'exit', expect: { exited: 0 } },
    ],
  },
  {
    name: 'expect',
    kind: 'awkward',
    needs: ['expect', 'dash'],
    files: { 'relay.exp': 'spawn -noecho dash -i\ninteract\n' },
    open: 'expect relay.exp',
    env: { PS1: 'd$ ' },
    steps: [
      { expect: { ...command, prompt: /^d\$ $/ } },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: command },
      { type: 'exit', expect: { exited: 0 } },
    ],
  },
  {
    name: 'every way to wait',
    kind: 'awkward',
    needs: ['python3'],
    files: { 'waits.py': everyWait },
    open: 'python3 waits.py',
    steps: [
      { expect: line(/^read\? $/) },
      { type: 'a', shows: /^got a$/m, expect: line(/^readv\? $/) },
      { type: 'b', shows: /^got b$/m, expect: line(/^select\? $/) },
      { type: 'c', shows: /^got c$/m, expect: line(/^poll\? $/) },
      { type: 'd', shows: /^got d$/m, expect: line(/^epoll\? $/) },
      {
        type: 'e',
        shows: /^got e$/m,
        expect: likelyLine(/^poll for a time\? $/, 'its wait has a time-out'),
      },
      {
        type: 'f',
        shows: /^got f$/m,
        expect: line(/^select with a pipe\? $/),
      },
      { type: 'g', shows: /^got g$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'a thread that reads while another computes',
    kind: 'awkward',
    needs: ['python3'],
    files: { 'reader.py': readerThread },
    open: 'python3 reader.py',
    steps: [
      { expect: line(/^> $/) },
      { type: '0', shows: /^done 0$/m, expect: line(/^> $/) },
      { type: '1', expect: { working: 'computing' } },
      { shows: /^done 1$/m, expect: line(/^> $/) },
      { keys: 'C-d', expect: { exited: 0 } },
    ],
  },
  {
    name: 'a process of 200 threads',
    kind: 'awkward',
    needs: ['python3'],
    files: { 'many.py': manyThreads },
    open: 'python3 many.py',
    steps: [
      { expect: line(/^many> $/) },
      { type: 'shout', shows: /^SHOUT$/m, expect: line(/^many> $/) },
      { type: 'end', expect: { exited: 0 } },
    ],
  },
  {
    name: 'a process whose first thread is gone',
    kind: 'awkward',
    needs: ['gcc'],
    files: { 'leaderless.c': leaderless },
    open: "sh -c 'gcc -pthread -o leaderless leaderless.c && exec ./leaderless'",
    steps: [
      { expect: line(/^who is there\? $/) },
      { type: 'Ada', shows: /^hello Ada$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'a program that looks for keys while it works',
    kind: 'awkward',
    needs: ['python3'],
    files: { 'polling.py': polling },
    open: 'python3 polling.py',
    steps: [
      { shows: /q ends it/, expect: workOrPause },
      { keys: 'x', expect: workOrPause },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'a program that waits 10 ms for a key between its work',
    kind: 'awkward',
    needs: ['python3'],
    files: { 'polling.py': pollingWithTimeout },
    open: 'python3 polling.py',
    steps: [
      { shows: /q ends it/, expect: workOrPause },
      { keys: 'x', expect: workOrPause },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'a server that listens to keys',
    kind: 'awkward',
    needs: [],
    files: { 'server.js': keyServer },
    open: '$NODE server.js',
    steps: [
      { shows: /press q to quit/, expect: { working: 'on the network' } },
      { keys: 'x', shows: /^key x$/m, expect: { working: 'on the network' } },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'a server with a console',
    kind: 'awkward',
    needs: ['python3'],
    files: { 'server.py': lineServer },
    open: 'python3 server.py',
    steps: [
      { expect: likelyLine(/^server> $/, 'another thread serves the network') },
      {
        type: 'dance',
        shows: /^no such command: dance$/m,
        expect: likelyLine(/^server> $/, 'another thread serves the network'),
      },
      { type: 'stop', expect: { exited: 0 } },
    ],
  },
  {
    name: 'python3 -m asyncio',
    kind: 'awkward',
    needs: ['python3'],
    open: 'python3 -m asyncio',
    steps: [
      { shows: /import asyncio/, expect: line(/^>>> $/) },
      { type: 'await asyncio.sleep(0.001, 42)', shows: /^42$/m, expect: line(/^>>> $/) },
      { type: 'await asyncio.sleep(1000)', expect: { working: 'anything' } },
      { keys: 'C-c', shows: /KeyboardInterrupt/, expect: line(/^>>> $/) },
      { keys: 'C-d', expect: { exited: 0 } },
    ],
  },
  {
    name: 'a pager whose pipe is still open',
    kind: 'awkward',
    needs: ['dash', 'less', 'seq', 'sleep'],
    open: `dash -c 'seq 1 100; exec sleep 1000' | less`,
    steps: [
      {
        shows: /^29$/m,
        expect: {
          for: 'key',
          certainty: 'likely',
          why: 'the process that fills its pipe is only asleep',
        },
      },
      { keys: 'G', expect: { working: 'anything' } },
      { keys: 'C-c', expect: { for: 'key' } },
      { keys: 'q', expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'a screen that draws itself anew',
    kind: 'awkward',
    needs: ['python3'],
    files: { 'clock.py': clock },
    open: 'python3 clock.py',
    steps: [
      {
        shows: /^tick \d+$/m,
        expect: { for: 'key', certainty: 'likely', why: 'it wakes by itself to redraw' },
      },
      {
        keys: 'x',
        shows: /^tick \d+$/m,
        expect: { for: 'key', certainty: 'likely', why: 'it wakes by itself to redraw' },
      },
      { keys: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'any key',
    kind: 'awkward',
    needs: ['bash'],
    open: `bash -c 'read -n 1 -p "Any key: " key; echo; echo "it was $key"; read -s -n 1 -p "Another: "; echo "$REPLY"'`,
    steps: [
      { expect: { for: 'key', prompt: /^Any key: $/ } },
      { keys: 'x', shows: /^it was x$/m, expect: { for: 'key', prompt: /^Another: $/ } },
      { keys: 'y', shows: /^Another: y$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'an interrupted pipeline in a shell',
    kind: 'awkward',
    needs: ['bash', 'cat'],
    open: 'bash --norc -i',
    env: { PS1: 'b$ ' },
    steps: [
      { expect: command },
      { type: 'cat | cat | cat', expect: { for: 'line' } },
      { type: 'through three', shows: /^through three\n+through three$/m, expect: { for: 'line' } },
      { keys: 'C-c', expect: command },
      { type: '(trap "echo trapped" INT; sleep 1000; read x)', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /trapped/, expect: { for: 'line' } },
      { type: 'on', expect: command },
      { keys: 'C-d', expect: { exited: 0 } },
    ],
  },
];
