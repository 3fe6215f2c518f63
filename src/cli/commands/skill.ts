import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CliCommand } from '../command.ts';
import { parseOptions, unknownDialectError } from '../parse-args.ts';

/** SKILL.md is beside package.json, in the sources and in the installed package. */
const findSkillFile = (folder: string): string => {
  const file = join(folder, 'SKILL.md');
  return existsSync(file) ? file : findSkillFile(dirname(folder));
};

export const skillCommand: CliCommand = {
  name: 'skill',
  summary: 'print SKILL.md, which teaches a model to converse with programs',
  usage: '[--dialect D]',
  options: { '--dialect D': 'for the tools of another tool set (default native)' },
  async run(args) {
    const { values } = parseOptions({ args: [...args], options: { dialect: { type: 'string' } } });
    process.stdout.write(await skillOf(values.dialect ?? 'native'));
    return 0;
  },
};

const skillOf = async (name: string): Promise<string> => {
  if (name === 'native') return readFileSync(findSkillFile(import.meta.dirname), 'utf8');
  const { dialectNames, foreignDialects, isDialectName } = await import(
    '../../dialects/foreign-dialects.ts'
  );
  if (isDialectName(name)) return foreignDialects[name].skill;
  throw unknownDialectError(name, dialectNames);
};
