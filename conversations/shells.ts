import type { Conversation } from './conversation.ts';

const why = 'without marks, a shell at its prompt looks like its own `read`';

export const shells: readonly Conversation[] = [
  {
    name: 'bash',
    kind: 'shell',
    needs: ['bash'],
    open: 'bash --norc -i',
    env: { PS1: 'b$ ' },
    steps: [
      { expect: { for: 'command', prompt: /b\$ $/, certainty: 'likely', why } },
      {
        type: 'echo $((6*7))',
        shows: /^42$/m,
        expect: { for: 'command', certainty: 'likely', why },
      },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /\^C/, expect: { for: 'command', certainty: 'likely', why } },
      { type: 'read -p "Your name: " name', expect: { for: 'line', prompt: /^Your name: $/ } },
      { type: 'Ada', expect: { for: 'command', certainty: 'likely', why } },
      {
        type: 'sleep 1000 &',
        shows: /\[1\]/,
        expect: { for: 'command', certainty: 'likely', why },
      },
      { type: 'sleep 1001', expect: { working: 'sleeping' } },
      { keys: 'C-z', shows: /Stopped/, expect: { for: 'command', certainty: 'likely', why } },
      { type: '(read x; echo "sub $x")', expect: { for: 'line' } },
      {
        type: 'shell',
        shows: /^sub shell$/m,
        expect: { for: 'command', certainty: 'likely', why },
      },
      { type: 'kill %1 %2; exit 3', expect: { for: 'command', certainty: 'likely', why } },
      { type: 'exit 3', expect: { exited: 3 } },
    ],
  },
  {
    name: 'dash',
    kind: 'shell',
    needs: ['dash'],
    open: 'dash -i',
    env: { PS1: 'd$ ' },
    steps: [
      { expect: { for: 'command', prompt: /d\$ $/, certainty: 'likely', why } },
      {
        type: 'echo $((6*7))',
        shows: /^42$/m,
        expect: { for: 'command', certainty: 'likely', why },
      },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: { for: 'command', certainty: 'likely', why } },
      { type: 'exit 4', expect: { exited: 4 } },
    ],
  },
];
