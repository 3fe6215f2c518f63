/** `repartee policy` and `repartee audit` say what is wrong, in one line, and print nothing that acts on a terminal. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { writePolicy } from '../../helpers/daemon/write-policy.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const rule = { then: 'deny', why: 'no' };

test.each<[text: string, problem: string]>([
  ['', 'it is not JSON: Unexpected end of JSON input.'],
  ['[]', 'it must be an object with a list "rules".'],
  ['{"rules": [{"then": "maybe", "why": "x"}]}', '"then" must be one of: allow, ask, deny.'],
  [JSON.stringify({ rules: [{ ...rule, comand: 'a' }] }), 'did you mean "command"?'],
  [JSON.stringify({ rules: [{ ...rule, command: '(' }] }), '"(" is not a regular expression'],
])('a policy that is %s cannot be used, and it is said why', async (text, problem) => {
  const cli = ownCli();
  const folder = join(cli.daemon.env.XDG_CONFIG_HOME!, 'repartee');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'policy.json'), text, { mode: 0o600 });
  const { code, stderr } = await cli.run('policy', 'check');
  expect(code).toBe(1);
  expect(stderr).toContain(problem);
  expect(stderr).not.toMatch(/[.?]\.\n/);
});

test('a file of examples that cannot be read or used is named', async () => {
  const cli = ownCli();
  writePolicy(cli.daemon, []);
  const folder = folderWith({ 'list.json': '{}', 'then.json': '[{"text": "a", "then": "x"}]' });
  for (const [file, problem] of [
    ['missing.json', 'no such file'],
    ['', 'illegal operation on a directory'],
    ['list.json', 'it must be a list of examples'],
    ['then.json', 'example 1: "then" must be one of'],
  ] as const) {
    const { code, stderr } = await cli.run('policy', 'test', join(folder, file));
    expect(code).toBe(1);
    expect(stderr).toContain(problem);
  }
});

test('an escape sequence in a command is shown and not printed', async () => {
  const cli = ownCli();
  writePolicy(cli.daemon, [{ command: '^rm ', then: 'deny', why: 'no' }]);
  const { stdout } = await cli.run('policy', 'check', 'rm \u001b[2J');
  expect(stdout).toBe('deny: rule 1 fits "rm ␛[2J": no\n');
});

test('an audit that was changed is told, with the line', async () => {
  const cli = ownCli();
  await cli.run('run', '--', 'echo hello');
  expect(await cli.run('audit', 'verify')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The audit is as it was written'),
  });
  const { audit } = cli.daemon.paths;
  const written = readFileSync(audit, 'utf8');
  writeFileSync(audit, written.replace('echo hello', 'echo hullo'));
  const changed = await cli.run('audit', 'verify');
  expect(changed.code).toBe(1);
  expect(changed.stdout).toMatch(/^The audit was changed: .*, line \d+: its code is wrong/);
  writeFileSync(audit, written);
  expect((await cli.run('audit', 'verify')).code).toBe(0);
  await cli.run('daemon', 'stop');
  expect(await cli.run('audit', 'verify')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('unknown: the daemon is not running'),
  });
});
