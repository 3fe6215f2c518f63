/** What runs inside a session is that session's agent: it takes no keyboard and answers no question, by any door. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { MAIN, type OwnCli, ownCli } from '../../../helpers/cli/own-cli.ts';
import { testWith } from '../../../helpers/needs.ts';
import { folderWith } from '../../../helpers/temporary-folder.ts';

const test = testWith('bash');
const LIBRARY = join(import.meta.dirname, '../../../../dist/index.js');

const writePolicy = (cli: OwnCli, policy: object) => {
  const folder = join(cli.daemon.env.XDG_CONFIG_HOME!, 'repartee');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
};

/** A session with a shell, and what a command prints that is run in it. */
const begin = async (policy?: object) => {
  const cli = ownCli();
  if (policy) writePolicy(cli, policy);
  const outside = await cli.daemon.connect();
  onTestFinished(() => outside[Symbol.asyncDispose]());
  // Otherwise what runs inside would look for the user's own daemon.
  const env = { ...cli.daemon.env };
  await outside.open({ name: 'outer', command: ['bash', '--norc'], env });
  await outside.open({ name: 'other', command: ['cat'] });
  const run = async (command: string) => (await outside.run(command, { session: 'outer' })).output;
  const repartee = (args: string) => run(`'${process.execPath}' '${MAIN}' ${args} 2>&1`);
  /** Prints the codes of what each call of the library throws. */
  const library = async (...calls: string[]) => {
    const script = `
      import { connectDaemon } from '${LIBRARY}';
      const s = await connectDaemon();
      for (const call of [${calls.map((call) => `() => ${call}`).join(', ')}])
        console.log(await call().then(() => 'done', (error) => error.code));
      await s[Symbol.asyncDispose]();`;
    const folder = folderWith({ 'call.mjs': script });
    const output = await run(`'${process.execPath}' ${folder}/call.mjs`);
    return output.trim().split(/\s+/);
  };
  return { outside, repartee, library };
};

test('inside a session no keyboard is taken, by the command line or the library', async () => {
  const { repartee, library } = await begin();
  expect(await repartee('attach other --take')).toContain('Only a person can do this');
  expect(await repartee('attach other')).toContain('Only a person can do this');
  expect(await library("s.take('other')", "s.take('outer')")).toEqual([
    'NOT_A_PERSON',
    'NOT_A_PERSON',
  ]);
});

test('inside a session the name of who holds a keyboard helps nobody to it', async () => {
  const { outside, library } = await begin();
  const ann = { actor: 'ann' };
  await outside.take('other', ann);
  const borrowed = "{ actor: 'ann' }";
  expect(
    await library(
      `s.giveBack('other', ${borrowed})`,
      `s.send('other', { text: 'mine' }, ${borrowed})`,
      `s.type('other', Buffer.from('mine'), ${borrowed})`,
      `s.take('other', ${borrowed})`,
    ),
  ).toEqual(['done', 'KEYBOARD_TAKEN', 'KEYBOARD_TAKEN', 'NOT_A_PERSON']);
  await outside.send('other', { text: 'hers' }, ann);
  const { output } = await outside.read('other', { view: 'screen' });
  expect(output).toContain('hers');
  expect(output).not.toContain('mine');
  await expect(outside.send('other', { text: 'x' })).rejects.toMatchObject({
    code: 'KEYBOARD_TAKEN',
  });
});

test('inside a session nothing is approved, and no policy switched off', async () => {
  // biome-ignore lint/suspicious/noThenProperty: it is the word of the policy file.
  const rule = { act: 'type', foreground: 'cat', input: '^drop', then: 'ask', why: 'no' };
  const { outside, repartee, library } = await begin({ rules: [rule] });
  const ending = new AbortController();
  const sending = outside.send('other', { text: 'drop' }, { signal: ending.signal });
  const [question] = (await outside.approvals(0)).waiting;
  expect(await repartee(`approvals ${question!.id} once`)).toContain('Only a person can do this');
  expect(await repartee('daemon start --no-policy')).toContain('Only a person can do this');
  expect(await library(`s.answer(${question!.id}, 'once')`, 's.switchPolicyOff()')).toEqual([
    'NOT_A_PERSON',
    'NOT_A_PERSON',
  ]);
  expect((await outside.approvals()).waiting).toMatchObject([{ id: question!.id }]);
  ending.abort();
  await expect(sending).rejects.toThrow();
});
