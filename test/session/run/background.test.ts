/** What nobody has asked for is not lost: jobs in the background, and what a shell says by itself. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { CarriedLines } from '../../../src/session/output/carried-lines.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const begin = async (shell: string) => {
  const sessions = new LocalSessions();
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const env = { HOME: folderWith(), PS1: undefined };
  await sessions.open({ shell, clean: true, name: 'sh', env });
  const screen = async () =>
    (await sessions.read('sh', { view: 'screen' }, { reader: 'screen' })).output;
  /** A job that speaks when the shell has long been at its prompt. */
  const speaks = async (word: string) => {
    const job = `sh -c 'sleep 0.2; echo ${word.slice(0, 2)}""${word.slice(2)}' &`;
    await sessions.send('sh', { text: job });
    await until(`the screen shows ${word}`, async () => (await screen()).includes(word));
  };
  return { sessions, speaks };
};

const times = (text: string, word: string) => text.split(word).length - 1;

for (const shell of ['bash', 'zsh', 'fish']) {
  describe(`in ${shell}`, () => {
    testWith(shell)('what a job says is read, once', async () => {
      const { sessions, speaks } = await begin(shell);
      await speaks('JOBREAD');
      expect(times((await sessions.read('sh')).output, 'JOBREAD')).toBe(1);
      expect((await sessions.read('sh')).output).not.toContain('JOBREAD');
      await speaks('JOBSEND');
      const { output } = await sessions.send('sh', { text: 'echo next' });
      expect(times(output, 'JOBSEND')).toBe(1);
      expect(output).toMatch(/next$/m);
    });

    testWith(shell)('what a job has said is not lost to a command that is run', async () => {
      const { sessions, speaks } = await begin(shell);
      await speaks('JOBRUN');
      const ran = await sessions.run('echo mine', { session: 'sh' });
      expect(ran.output).toBe('mine');
      expect(times((await sessions.read('sh')).output, 'JOBRUN')).toBe(1);
      expect((await sessions.read('sh')).output).toBe('');
    });
  });
}

describe('in bash', () => {
  test.each(['send', 'run'] as const)('that a job is done is told after a %s', async (how) => {
    const { sessions } = await begin('bash');
    await sessions.send('sh', { text: 'sleep 0.1 &' });
    let told = '';
    await until('it is told', async () => {
      const next =
        how === 'send'
          ? await sessions.send('sh', { text: 'true' })
          : await sessions.run('true', { session: 'sh' }).then(() => sessions.read('sh'));
      told += `${next.output}\n`;
      return told.includes('Done');
    });
    told += (await sessions.send('sh', { text: 'echo end' })).output;
    expect(told.trim().split('\n')).toEqual([expect.stringMatching(/^\[1\]\+ +Done /), 'end']);
  });

  test('what is printed before each prompt is told, and the prompt is not', async () => {
    const { sessions } = await begin('bash');
    await sessions.send('sh', { text: 'PROMPT_COMMAND+=("echo before the prompt")' });
    expect((await sessions.send('sh', { text: 'true' })).output).toBe('before the prompt');
    expect((await sessions.run('echo mine', { session: 'sh' })).output).toBe('mine');
    expect((await sessions.read('sh')).output).toBe('before the prompt');
  });

  test('a prompt of several lines is no output', async () => {
    const { sessions } = await begin('bash');
    await sessions.send('sh', { text: "PS1='first line\\nsecond> '" });
    await sessions.read('sh');
    const { output, prompt } = await sessions.send('sh', { text: 'echo said' });
    expect(prompt).toBe('second> ');
    expect(output).toContain('said');
  });
});

test('of too much that is set aside the oldest is counted', () => {
  const aside = new CarriedLines();
  const lines = Array.from({ length: 2000 }, (_, at) => ({ position: at, text: 'x'.repeat(99) }));
  aside.add({ lines });
  const view = aside.prependTo({ lines: [], continues: false, position: 0 });
  expect(view.lines.length + view.gone!.lines).toBe(2000);
  expect(view.lines.length).toBe(Math.floor((64 * 1024) / 99));
  expect(view.gone).toMatchObject({ before: 0, bytes: view.gone!.lines * 100 });
  expect(aside.prependTo({ lines: [], continues: false, position: 0 }).lines).toEqual([]);
});
