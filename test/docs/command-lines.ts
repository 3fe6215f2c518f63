/** Command lines in sentences of the manual: what they name must be there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliCommand } from '../../src/cli/command.ts';
import { shownOptions } from '../../src/cli/output/help.ts';
import { root } from './pages.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** What is wrong with it, if it is one of ours and something is. */
export const wrongWith = (code: string, commands: readonly CliCommand[]): string | undefined => {
  const [program, ...words] = code.split(' ');
  if (program === 'repartee') return wrongCommand(words, commands);
  if (program === 'npm' && words[0] === 'run') return wrongScript(words.slice(1));
  return undefined;
};

const wrongCommand = (words: readonly string[], commands: readonly CliCommand[]) => {
  const [name, ...rest] = words;
  if (name === 'COMMAND' || name === '--version') return undefined;
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return `there is no command ${name}`;
  const known = shownOptions(command.options).map(([option]) => `--${option}`);
  const dashes = rest.indexOf('--');
  const flags = rest
    .slice(0, dashes === -1 ? rest.length : dashes)
    .flatMap((word) => word.match(/^\[?(--[a-z-]+)/)?.[1] ?? []);
  const unknown = flags.find((flag) => flag !== '--help' && !known.includes(flag));
  return unknown && `${name} has no ${unknown}`;
};

const wrongScript = ([script, name]: readonly string[]) => {
  if (scripts[script!] === undefined) return `there is no script ${script}`;
  if (script !== 'bench' || name === undefined || !/^[a-z]+$/.test(name)) return undefined;
  const files = [`bench/${name}.ts`, `bench/${name}/main.ts`];
  const isThere = files.some((file) => existsSync(join(root, file)));
  return isThere ? undefined : `there is no bench ${name}`;
};

/** The words of a line, up to a pipe, a redirection or a comment; quoted ones whole. */
export const shellWords = (line: string): string[] => {
  const words: string[] = [];
  for (const [, single, double, plain] of line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)) {
    if (plain !== undefined && /^[|>#]/.test(plain)) break;
    words.push(single ?? double ?? plain!);
  }
  return words;
};
