import type { Conversation } from '../conversation.ts';

const why = 'what the program on the other side does cannot be seen from here';
const likely = { certainty: 'likely', why } as const;
const unmarked = 'without marks, a shell at its prompt looks like its own `read`';
const command = { for: 'command', certainty: 'likely', why: unmarked } as const;

/** A shell that leaves nothing in the other user's home. */
const shell = `env HOME=$HOME HISTFILE=/dev/null PS1='remote\\$ ' bash --norc -i`;
const ssh = 'ssh -F "$SSH_CONFIG"';

/** Carries a connection, each way 150 ms late, as to another continent. */
const slowLine = `
import os, queue, socket, sys, threading, time

def carry(receive, send):
    under_way = queue.Queue()
    def deliver():
        while True:
            due, data = under_way.get()
            time.sleep(max(0, due - time.monotonic()))
            if not data: os._exit(0)
            send(data)
    threading.Thread(target=deliver).start()
    while True:
        data = receive()
        under_way.put((time.monotonic() + 0.15, data))
        if not data: return

line = socket.create_connection((sys.argv[1], int(sys.argv[2])))
line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
threading.Thread(target=carry, args=(lambda: os.read(0, 65536), line.sendall)).start()
carry(lambda: line.recv(65536), lambda data: os.write(1, data))
`;

export const remote: readonly Conversation[] = [
  {
    name: 'ssh',
    kind: 'remote',
    needs: ['ssh', 'sshd', 'unshare', 'ssh-keygen', 'setpriv', 'bash', 'python3'],
    scene: 'sshd',
    open: `${ssh} -t box "${shell}"`,
    steps: [
      {
        shows: /authenticity of host/,
        expect: { for: 'line', prompt: /Are you sure .*\(yes\/no\/\[fingerprint\]\)\? $/ },
      },
      { type: 'perhaps', expect: { for: 'line', prompt: /Please type 'yes', 'no'.*: $/ } },
      { type: 'yes', expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      {
        type: 'echo $((6*7))',
        shows: /^42$/m,
        expect: { for: 'line', prompt: /^remote\$ $/, ...likely },
      },
      { type: 'sleep 1000', expect: { working: 'on the network' } },
      { keys: 'C-c', shows: /\^C/, expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      {
        type: 'sleep 0.5; echo $((7*7))',
        shows: /^49$/m,
        expect: { for: 'line', prompt: /^remote\$ $/, ...likely },
      },
      { type: 'python3 -q', expect: { for: 'line', prompt: /^>>> $/, ...likely } },
      { type: 'for n in [1]:', expect: { for: 'line', prompt: /^\.\.\. $/, ...likely } },
      { type: ' print(n + 100)', expect: { for: 'line', prompt: /^\.\.\. $/, ...likely } },
      { type: '', shows: /^101$/m, expect: { for: 'line', prompt: /^>>> $/, ...likely } },
      { type: 'import time; time.sleep(1000)', expect: { working: 'on the network' } },
      {
        keys: 'C-c',
        shows: /KeyboardInterrupt/,
        expect: { for: 'line', prompt: /^>>> $/, ...likely },
      },
      { keys: 'C-d', expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      {
        type: 'read -p "Your name: " name',
        expect: { for: 'line', prompt: /^Your name: $/, ...likely },
      },
      { type: 'Ada', expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      { type: 'exit 7', shows: /closed/, expect: { exited: 7 } },
    ],
  },
  {
    name: 'ssh, full screen',
    kind: 'remote',
    needs: ['ssh', 'sshd', 'unshare', 'ssh-keygen', 'setpriv', 'bash', 'vim', 'less'],
    scene: 'sshd',
    open: `${ssh} -o StrictHostKeyChecking=no -t box "${shell}"`,
    steps: [
      { expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      {
        type: 'vim -u NONE -i NONE -n',
        shows: /VIM - Vi IMproved/,
        expect: { for: 'key', ...likely },
      },
      { text: 'ihello', shows: /^hello/, expect: { for: 'key', ...likely } },
      { keys: 'Escape', expect: { for: 'key', ...likely } },
      { type: ':q!', expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      {
        type: 'seq 200 | LESSHISTFILE=- less',
        shows: /^29\s*$/m,
        expect: { for: 'key', ...likely },
      },
      { keys: 'G', shows: /^200\s*$/m, expect: { for: 'key', ...likely } },
      { keys: 'q', expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      { type: 'exit 0', shows: /closed/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'ssh, over a slow line',
    kind: 'remote',
    needs: ['ssh', 'sshd', 'unshare', 'ssh-keygen', 'setpriv', 'bash', 'python3', 'less'],
    scene: 'sshd',
    files: { 'slow.py': slowLine },
    open: `${ssh} -o ProxyCommand="python3 slow.py %h %p" -o StrictHostKeyChecking=no -t box "${shell}"`,
    steps: [
      { expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      { type: 'echo $((6*7))', shows: /^42$/m, expect: { for: 'line', ...likely } },
      {
        type: 'read -p "Your name: " x',
        expect: { for: 'line', prompt: /^Your name: $/, ...likely },
      },
      { type: 'Ada', expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      {
        type: 'seq 200 | LESSHISTFILE=- less',
        shows: /^29\s*$/m,
        expect: { for: 'key', ...likely },
      },
      { keys: 'Space', shows: /^58\s*$/m, expect: { for: 'key', ...likely } },
      { keys: 'q', expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      { type: 'sleep 1000', expect: { working: 'on the network' } },
      { keys: 'C-c', shows: /\^C/, expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      { type: 'exit 0', shows: /closed/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'ssh, by password',
    kind: 'remote',
    needs: ['ssh', 'sshd', 'unshare', 'ssh-keygen', 'setpriv', 'bash', 'useradd'],
    asRoot: true,
    scene: 'sshd',
    open: `${ssh} -o PubkeyAuthentication=no -o StrictHostKeyChecking=no -t box "${shell}"`,
    steps: [
      { expect: { for: 'secret', prompt: /'s password: $/ } },
      {
        type: 'wrong',
        shows: /Permission denied, please try again/,
        expect: { for: 'secret', prompt: /'s password: $/ },
      },
      { type: 'correct horse', expect: { for: 'line', prompt: /^remote\$ $/, ...likely } },
      { type: 'echo $((6*7))', shows: /^42$/m, expect: { for: 'line', ...likely } },
      { keys: 'C-d', shows: /closed/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'a terminal relayed over a socket',
    kind: 'remote',
    needs: ['socat', 'setpriv', 'bash', 'python3', 'vim'],
    scene: 'container',
    open: 'socat -,raw,echo=0 UNIX-CONNECT:"$SOCKET"',
    steps: [
      { expect: { for: 'line', prompt: /^inside\$ $/, ...likely } },
      { type: 'echo $((6*7))', shows: /^42$/m, expect: { for: 'line', ...likely } },
      { type: 'sleep 1000', expect: { working: 'on the network' } },
      { keys: 'C-c', shows: /\^C/, expect: { for: 'line', prompt: /^inside\$ $/, ...likely } },
      { type: 'python3 -q', expect: { for: 'line', prompt: /^>>> $/, ...likely } },
      { type: '7*7', shows: /^49$/m, expect: { for: 'line', prompt: /^>>> $/, ...likely } },
      { keys: 'C-d', expect: { for: 'line', prompt: /^inside\$ $/, ...likely } },
      {
        type: 'vim -u NONE -i NONE -n',
        shows: /VIM - Vi IMproved/,
        expect: { for: 'key', ...likely },
      },
      { type: ':q', expect: { for: 'line', prompt: /^inside\$ $/, ...likely } },
      { type: 'exit', expect: { exited: 0 } },
    ],
  },
  {
    name: 'unshare',
    kind: 'remote',
    needs: ['unshare', 'bash'],
    open: 'unshare -Urpf --mount-proc bash --norc -i',
    env: { PS1: 'inside$ ' },
    steps: [
      { expect: { prompt: /^inside\$ $/, ...command } },
      { type: 'echo pid $$', shows: /^pid 1$/m, expect: command },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /\^C/, expect: command },
      { type: 'exit 5', expect: { exited: 5 } },
    ],
  },
  {
    name: 'nsenter',
    kind: 'remote',
    needs: ['unshare', 'nsenter', 'setpriv', 'bash', 'python3'],
    scene: 'namespace',
    open: 'nsenter -t "$INSIDE" -U -m -p --preserve-credentials bash --norc -i',
    env: { PS1: 'inside$ ' },
    steps: [
      { expect: { prompt: /^inside\$ $/, ...command } },
      { type: 'cat /proc/1/comm', shows: /^sleep$/m, expect: command },
      { type: 'python3 -q', expect: { for: 'line', prompt: /^>>> $/ } },
      { type: '7*7', shows: /^49$/m, expect: { for: 'line', prompt: /^>>> $/ } },
      { keys: 'C-d', expect: { prompt: /^inside\$ $/, ...command } },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /\^C/, expect: command },
      { type: 'exit 6', expect: { exited: 6 } },
    ],
  },
];
