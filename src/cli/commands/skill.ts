import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DialectName } from '../../dialects/dialect-names.ts';
import { defineCommand } from '../command.ts';
import { dialectOption } from '../dialect-option.ts';

/** SKILL.md is beside package.json, in the sources and in the installed package. */
const findSkillFile = (folder: string): string => {
  const file = join(folder, 'SKILL.md');
  return existsSync(file) ? file : findSkillFile(dirname(folder));
};

export const skillCommand = defineCommand({
  name: 'skill',
  summary: 'print SKILL.md, which teaches a model to converse with programs',
  options: { dialect: { ...dialectOption, description: 'for the tools of another tool set' } },
  async run({ values }) {
    process.stdout.write(await skillOf(values.dialect));
    return 0;
  },
});

const skillOf = async (name: 'native' | DialectName): Promise<string> => {
  if (name === 'native') return readFileSync(findSkillFile(import.meta.dirname), 'utf8');
  const { foreignDialects } = await import('../../dialects/foreign-dialects.ts');
  return foreignDialects[name].skill;
};
