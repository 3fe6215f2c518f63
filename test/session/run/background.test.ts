/** Unexpected output is not lost: that of background jobs, and of the shell itself. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { UnreadBeforeRun } from '../../../src/session/output/unread-before-run.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith, makeGate } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const begin = async (shell: string) => {
  const sessions = new LocalSessions();
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const env = { HOME: folderWith(), PS1: undefined };
  await sessions.open({ shell, clean: true, name: 'sh', env });
  const screen = async () =>
    (await sessions.read('sh', { view: 'screen' }, { reader: 'screen' })).output;
  /** Starts a job that prints a word while the shell is at its prompt. */
  const printLater = async (word: string) => {
    const gate = makeGate();
    const job = `sh -c '${gate.wait}; echo ${word.slice(0, 2)}""${word.slice(2)}' &`;
    await sessions.send('sh', { text: job });
    gate.open();
    await until(`the screen shows ${word}`, async () => (await screen()).includes(word));
  };
  return { sessions, printLater };
};

const countOf = (text: string, word: string) => text.split(word).length - 1;

for (const shell of ['bash', 'zsh', 'fish']) {
  describe(`in ${shell}`, () => {
    testWith(shell)('the output of a job is read, once', async () => {
      const { sessions, printLater } = await begin(shell);
      await printLater('JOBREAD');
      expect(countOf((await sessions.read('sh')).output, 'JOBREAD')).toBe(1);
      expect((await sessions.read('sh')).output).not.toContain('JOBREAD');
      await printLater('JOBSEND');
      const { output } = await sessions.send('sh', { text: 'echo next' });
      expect(countOf(output, 'JOBSEND')).toBe(1);
      expect(output).toMatch(/next$/m);
    });

    testWith(shell)('the output of a job is not lost when a command is run', async () => {
      const { sessions, printLater } = await begin(shell);
      await printLater('JOBRUN');
      const result = await sessions.run('echo mine', { session: 'sh' });
      expect(result.output).toBe('mine');
      expect(countOf((await sessions.read('sh')).output, 'JOBRUN')).toBe(1);
      expect((await sessions.read('sh')).output).toBe('');
    });
  });
}

describe('in bash', () => {
  test.each(['send', 'run'] as const)('that a job is done can be read after a %s', async (how) => {
    const { sessions } = await begin('bash');
    await sessions.send('sh', { text: 'sleep 0.1 &' });
    let text = '';
    await until('the job is done', async () => {
      const next =
        how === 'send'
          ? await sessions.send('sh', { text: 'true' })
          : await sessions.run('true', { session: 'sh' }).then(() => sessions.read('sh'));
      text += `${next.output}\n`;
      return text.includes('Done');
    });
    text += (await sessions.send('sh', { text: 'echo end' })).output;
    expect(text.trim().split('\n')).toEqual([expect.stringMatching(/^\[1\]\+ +Done /), 'end']);
  });

  test('what is printed before each prompt is output, and the prompt is not', async () => {
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

test('if too many lines are carried over, the oldest are dropped and counted', () => {
  const carried = new UnreadBeforeRun();
  const lines = Array.from({ length: 2000 }, (_, at) => ({ position: at, text: 'x'.repeat(99) }));
  carried.add({ lines });
  const view = carried.prependTo({ lines: [], continues: false, position: 0 });
  expect(view.lines.length + view.gone!.lines).toBe(2000);
  expect(view.lines.length).toBe(Math.floor((64 * 1024) / 99));
  expect(view.gone).toMatchObject({ before: 0, bytes: view.gone!.lines * 100 });
  expect(carried.prependTo({ lines: [], continues: false, position: 0 }).lines).toEqual([]);
});
