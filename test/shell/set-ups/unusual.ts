/** What hardly anybody has, or what somebody has thought of to spoil the marks. */
import type { SetUp } from './set-up.ts';

const zsh: SetUp[] = [
  {
    what: 'no function at all',
    typed: "unfunction -m '*'",
    adds: /function `zle-line/,
    isOverdrawn: true,
    marks: 'typed',
    check: { command: '/usr/bin/printf x', output: 'x' },
  },
];

export const unusualSetUps: Readonly<Record<'bash' | 'zsh' | 'fish', readonly SetUp[]>> = {
  bash: [],
  zsh,
  fish: [],
};
