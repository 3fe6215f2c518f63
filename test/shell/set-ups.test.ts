import { describe, expect } from 'vitest';
import { testWith } from '../helpers/needs.ts';
import { bashSetUps } from './set-ups/bash.ts';
import { fishSetUps } from './set-ups/fish.ts';
import { problemsWith } from './set-ups/try-set-up.ts';
import { unusualSetUps } from './set-ups/unusual.ts';
import { zshSetUps } from './set-ups/zsh.ts';

const setUps = { bash: bashSetUps, zsh: zshSetUps, fish: fishSetUps } as const;

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  describe(`${shell} runs commands exactly with`, () => {
    for (const setUp of [...setUps[shell], ...unusualSetUps[shell]]) {
      testWith(shell, ...(setUp.needs ?? []))(setUp.what, { concurrent: true }, async () => {
        expect(await problemsWith(shell, setUp)).toEqual([]);
      });
    }
  });
}
