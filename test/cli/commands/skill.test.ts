import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN } from '../../helpers/cli/own-cli.ts';

const root = join(import.meta.dirname, '../../..');
const skill = (...args: string[]) =>
  execFileSync(process.execPath, [MAIN, 'skill', ...args]).toString();

test('skill prints SKILL.md, which is in the package, short, and has the header of a skill', () => {
  const printed = skill();
  expect(printed).toBe(readFileSync(join(root, 'SKILL.md'), 'utf8'));
  expect(printed).toMatch(/^---\nname: repartee\ndescription: .+\n---\n/);
  expect(printed.length).toBeLessThan(5000);
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(files).toContain('SKILL.md');
});

test('skill --dialect prints the skill for the tools of that dialect', () => {
  expect(skill('--dialect', 'codex')).toMatch(/exec_command/);
});
