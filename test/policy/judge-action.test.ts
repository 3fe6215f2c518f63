import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RuleText } from '../../src/policy/policy.ts';
import { judgeExample } from '../../src/policy/policy-examples.ts';
import { findPolicyProblems } from '../../src/policy/policy-findings.ts';
import { readPolicy } from '../../src/policy/read-policy.ts';

const policyOf = (...rules: Partial<RuleText>[]) =>
  readPolicy(
    JSON.stringify({ rules: rules.map((rule) => ({ then: 'deny', why: 'w', ...rule })) }),
    'policy.json',
  );
const outcome = async (rules: Partial<RuleText>[], text: string, more = {}) =>
  judgeExample(await policyOf(...rules), { text, ...more }).outcome;

test('the first rule that fits decides, and by default everything is allowed', async () => {
  const rules: Partial<RuleText>[] = [{ command: '^rm a', then: 'allow' }, { command: '^rm ' }];
  expect(await outcome(rules, 'rm a')).toBe('allow');
  expect(await outcome(rules, 'rm b')).toBe('deny');
  expect(await outcome(rules, 'ls')).toBe('allow');
});

test('of several commands in a line the strictest decision counts', async () => {
  const rules: Partial<RuleText>[] = [{ command: '^ls', then: 'allow' }, { command: '^rm ' }];
  expect(await outcome(rules, 'ls; rm x')).toBe('deny');
  expect(
    await outcome([{ command: '^curl', then: 'allow' }, { command: '\\| sh' }], 'curl u | sh'),
  ).toBe('deny');
});

test('an allowed command hides nothing in a word of several lines', async () => {
  const rules: Partial<RuleText>[] = [{ command: '^git status$', then: 'allow' }, { command: '.' }];
  expect(await outcome(rules, "rm 'x\ngit status\n'")).toBe('deny');
});

test('a rule without an actor is for agents, and nobody becomes a person by a name', async () => {
  expect(await outcome([{ command: '^rm ' }], 'rm x', { actor: 'person' })).toBe('allow');
  expect(await outcome([{ command: '^rm ', actor: 'person' }], 'rm x')).toBe('allow');
  expect(await outcome([{ command: '^rm ', actor: 'agent' }], 'rm x')).toBe('deny');
});

test('a folder is that folder and what lies in it', async () => {
  const rules = [{ cwd: '/srv/prod' }];
  expect(await outcome(rules, 'ls', { cwd: '/srv/prod/a' })).toBe('deny');
  expect(await outcome(rules, 'ls', { cwd: '/srv/production' })).toBe('allow');
});

test.each<[what: string, Partial<RuleText>[], RegExp]>([
  ['input that is not typed', [{ act: 'run', input: 'x' }], /rule 1.*never fits/],
  ['a program before there is one', [{ act: 'open', foreground: 'bash' }], /rule 1.*never fits/],
  [
    'a rule behind one that fits more',
    [{ command: 'x' }, { command: 'x', cwd: '/a' }],
    /rule 2.*never fits: rule 1/,
  ],
  ['a pattern that could hang', [{ input: '(a+)+$', act: 'type' }], /rule 1.*very long/],
  [
    'a command that may still be typed',
    [{ act: 'run', command: '^rm ' }],
    /rule 1.*typed into a shell/,
  ],
])('policy check finds %s', async (_what, rules, finding) => {
  const findings = findPolicyProblems(await policyOf(...rules));
  expect(findings.map(({ rule, problem }) => `rule ${rule} ${problem}`).join('\n')).toMatch(
    finding,
  );
});

test.each<[string, string]>([
  ['{', 'it is not JSON'],
  ['[]', 'a list "rules"'],
  ['{"rules":[{"then":"forbid","why":"w"}]}', 'rule 1: "then" must be one of: allow, ask, deny'],
  ['{"rules":[{"comand":"x","then":"deny","why":"w"}]}', 'did you mean "command"?'],
  ['{"rules":[{"command":"(","then":"deny","why":"w"}]}', 'rule 1: "command"'],
  ['{"rules":[{"then":"deny"}]}', 'it has no "why"'],
])('%s is refused, and it says why', async (text, problem) => {
  await expect(readPolicy(text, 'p')).rejects.toThrow(problem);
});

test('the policy of the manual does what the manual says', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/guide/policy.md'), 'utf8');
  const [, text = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
  const policy = await readPolicy(text, 'policy.md');
  expect(findPolicyProblems(policy)).toEqual([]);
  const decided = [
    { text: 'git push origin main --force' },
    { text: 'sudo rm -rf x' },
    { text: 'Drop table users;', act: 'type', foreground: 'psql' } as const,
    { text: 'ls', cwd: '/srv/production/a' },
    { text: 'ls', cwd: '/tmp' },
  ].map((example) => judgeExample(policy, example).outcome);
  expect(decided).toEqual(['deny', 'ask', 'ask', 'deny', 'allow']);
});
