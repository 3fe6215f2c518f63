/** The option `--dialect`, without what it says in the help of each command. */
import { dialectNames } from '../dialects/dialect-names.ts';

export const dialectOption = {
  value: 'D',
  choices: ['native', ...dialectNames],
  default: 'native',
} as const;
