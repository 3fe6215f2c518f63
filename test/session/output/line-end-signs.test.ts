import { expect, onTestFinished } from 'vitest';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import type { OpenOptions } from '../../../src/session/options/options.ts';
import { testWith } from '../../helpers/needs.ts';

const begin = async (options: OpenOptions) => {
  const sessions = new LocalSessions();
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0 })));
  const { session } = await sessions.open(options);
  const send = async (text: string) => (await sessions.send(session, { text })).output;
  const all = async () =>
    (await sessions.read(session, { from: 0, until: 'ready', timeoutMs: 10_000 })).output;
  return { send, all };
};

for (const shell of ['zsh', 'fish'])
  testWith(shell)(`the sign of ${shell} for output without a line end is no output`, async () => {
    const { send, all } = await begin({ shell, clean: true });
    expect(await send('printf abc')).toBe('abc');
    expect(await send('printf "a\\nb#"')).toBe('a\nb#');
    expect(await send('echo abc')).toBe('abc');
    expect(await all()).toBe('abc\na\nb#\nabc');
  });

testWith('zsh')('the sign may be the user’s own', async () => {
  const { send } = await begin({ shell: 'zsh', clean: true, env: { PROMPT_EOL_MARK: '<no end>' } });
  expect(await send('printf abc')).toBe('abc');
});

testWith('zsh')(
  'what is printed before a prompt is output, though it looks like a sign',
  async () => {
    const { send } = await begin({ shell: 'zsh', clean: true });
    await send('precmd() { print -n "%"; print; }');
    expect(await send('echo abc')).toBe('abc\n%');
  },
);

testWith('zsh')('output without a line end is not lost where zsh has no marks', async () => {
  const { send } = await begin({ command: ['zsh', '-f'] });
  // Without marks the sign cannot be told from the program's output.
  expect(await send('printf abc')).toMatch(/^abc[%#]$/);
});
