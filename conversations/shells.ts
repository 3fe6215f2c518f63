import type { Conversation, Waiting } from './conversation.ts';

const command = {
  for: 'command',
  certainty: 'likely',
  why: 'without marks, a shell at its prompt looks like its own `read`',
} satisfies Waiting;

export const shells: readonly Conversation[] = [
  {
    name: 'bash',
    kind: 'shell',
    needs: ['bash'],
    open: 'bash --norc -i',
    env: { PS1: 'b$ ' },
    steps: [
      { expect: { ...command, prompt: /^b\$ $/ } },
      { type: 'echo $((6*7))', shows: /^42$/m, expect: command },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /\^C/, expect: command },
      { type: 'read -p "Your name: " name', expect: { for: 'line', prompt: /^Your name: $/ } },
      { type: 'Ada', expect: command },
      { type: 'read -s -p "PIN: " pin', expect: { for: 'secret', prompt: /^PIN: $/ } },
      { type: '1234', expect: command },
      { type: 'for i in 1 2; do', expect: { ...command, prompt: /^> $/ } },
      { type: 'echo "number $i"; done', shows: /^number 2$/m, expect: command },
      { type: 'no-such-program', shows: /command not found/, expect: command },
      { text: 'echo half', expect: { ...command, prompt: /^b\$ echo half$/ } },
      { type: ' a line', shows: /^half a line$/m, expect: command },
      { keys: 'C-d', shows: /^exit$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'dash',
    kind: 'shell',
    needs: ['dash'],
    open: 'dash -i',
    env: { PS1: 'd$ ' },
    steps: [
      { expect: { ...command, prompt: /^d\$ $/ } },
      { type: 'echo $((6*7))', shows: /^42$/m, expect: command },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /\^C/, expect: command },
      { type: 'while :; do :; done', expect: { working: 'computing' } },
      { keys: 'C-c', expect: command },
      { type: 'exit 4', expect: { exited: 4 } },
    ],
  },
  {
    name: 'zsh',
    kind: 'shell',
    needs: ['zsh'],
    open: 'zsh -f -i',
    env: { PS1: 'z%% ' },
    steps: [
      { expect: { ...command, prompt: /^z% $/ } },
      { type: 'echo $((6*7))', shows: /^42$/m, expect: command },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-z', shows: /suspended/, expect: command },
      { type: 'fg', shows: /continued/, expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: command },
      { type: 'read "name?Your name: "', expect: { for: 'line', prompt: /^Your name: $/ } },
      { type: 'Ada', expect: command },
      { type: 'exit 5', expect: { exited: 5 } },
    ],
  },
  {
    name: 'fish',
    kind: 'shell',
    needs: ['fish'],
    open: 'fish --no-config',
    steps: [
      { expect: { ...command, prompt: /[>#] $/ } },
      { type: 'math 6 x 7', shows: /^42$/m, expect: command },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: command },
      { type: 'no-such-program', shows: /Unknown command/, expect: command },
      { type: 'exit 6', expect: { exited: 6 } },
    ],
  },
  {
    // It begins with completions from all manuals: made by a process beside it, in the same group.
    name: 'fish in a new home',
    kind: 'shell',
    needs: ['fish'],
    open: 'fish',
    steps: [
      { expect: { ...command, prompt: /[>#] $/ } },
      { text: 'math 6', expect: { ...command, prompt: /[>#] math 6$/ } },
      { type: ' x 7', shows: /^42$/m, expect: command },
      { type: 'exit 6', expect: { exited: 6 } },
    ],
  },
];
