import type { Conversation, Waiting } from '../conversation.ts';

const line = (prompt: RegExp) => ({ for: 'line', prompt }) satisfies Waiting;

const loop = (prompt: RegExp) =>
  ({
    for: 'line',
    prompt,
    certainty: 'likely',
    why: 'its wait for a line has a time-out',
  }) satisfies Waiting;

const besideServer = (prompt: RegExp) =>
  ({
    for: 'line',
    prompt,
    certainty: 'likely',
    why: 'the server that it has started hides what it does from an ordinary user',
  }) satisfies Waiting;

/** Clients of the network, at their own prompts. */
export const network: readonly Conversation[] = [
  {
    name: 'telnet',
    kind: 'remote',
    needs: ['telnet'],
    open: 'telnet',
    steps: [
      { expect: line(/^telnet> $/) },
      { type: 'open 127.0.0.1 1', shows: /refused/, expect: line(/^telnet> $/) },
      { type: 'status', shows: /No connection/, expect: line(/^telnet> $/) },
      { type: 'quit', expect: { exited: 0 } },
    ],
  },
  {
    name: 'tnftp',
    kind: 'remote',
    needs: ['tnftp'],
    open: 'tnftp',
    steps: [
      { expect: line(/^ftp> $/) },
      { type: 'open 127.0.0.1 1', shows: /refused/, expect: line(/^ftp> $/) },
      { type: 'open', expect: line(/^\(to\) $/) },
      { type: '', shows: /usage/, expect: line(/^ftp> $/) },
      { type: '!sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: line(/ftp> $/) },
      { type: 'bye', expect: { exited: 0 } },
    ],
  },
  {
    name: 'lftp',
    kind: 'remote',
    needs: ['lftp'],
    open: 'lftp --norc',
    steps: [
      { expect: loop(/lftp :~> $/) },
      { type: 'echo six', shows: /^six$/m, expect: loop(/lftp :~> $/) },
      { type: '!sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: loop(/lftp :~> $/) },
      { type: 'sleep 1000', expect: { working: 'anything' } },
      { keys: 'C-c', expect: loop(/lftp :~> $/) },
      { type: 'exit 3', expect: { exited: 3 } },
    ],
  },
  {
    name: 'nc',
    kind: 'remote',
    needs: ['nc'],
    open: 'nc -l 127.0.0.1 0',
    steps: [
      { expect: { working: 'on the network' } },
      { keys: 'C-c', expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'sftp',
    kind: 'remote',
    needs: ['sftp'],
    open: 'sftp -D /usr/lib/openssh/sftp-server',
    steps: [
      { shows: /Attached/, expect: besideServer(/^sftp> $/) },
      { type: 'pwd', shows: /Remote working/, expect: besideServer(/^sftp> $/) },
      { type: '!sleep 1000', expect: { working: 'anything' } },
      { keys: 'C-c', expect: besideServer(/sftp> $/) },
      { type: 'bye', expect: { exited: 0 } },
    ],
  },
  {
    name: 'nft -i',
    kind: 'repl',
    needs: ['nft'],
    open: 'nft -i',
    asRoot: true,
    steps: [
      { expect: line(/^nft> $/) },
      { type: 'nonsense', shows: /Error/, expect: line(/^nft> $/) },
      { type: 'quit', expect: { exited: 0 } },
    ],
  },
];
