import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from './command.ts';

/** SKILL.md lies beside package.json, at the root of the sources and of the package as installed. */
const skillFile = (folder: string): string => {
  const file = join(folder, 'SKILL.md');
  return existsSync(file) ? file : skillFile(dirname(folder));
};

export const command: Command = {
  name: 'skill',
  summary: 'print SKILL.md, which teaches a model to converse with programs',
  usage: '',
  async run() {
    process.stdout.write(readFileSync(skillFile(import.meta.dirname), 'utf8'));
    return 0;
  },
};
