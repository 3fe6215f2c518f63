import { expect, onTestFinished } from 'vitest';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const numbered = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`file-${at}`, '']));

const open = async (shell: string) => {
  const sessions = new LocalSessions();
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const { session } = await sessions.open({ shell, clean: true, cwd: folderWith(numbered) });
  return {
    press: (keys: string) => sessions.send(session, { keys }),
    send: (text: string) => sessions.send(session, { text }),
    run: (command: string) => sessions.run(command, { session }),
  };
};

testWith('bash')('a shell that asks whether to list everything wants a key', async () => {
  const { press, run } = await open('bash');
  const asked = await press('c a t Space f i l e - Tab Tab');
  expect(asked).toMatchObject({ waitingFor: 'key', prompt: expect.stringMatching(/y or n/) });
  await expect(run('echo hi')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
  expect(await press('n')).toMatchObject({ waitingFor: 'command' });
});

testWith('zsh')('a shell that asks whether to correct a word wants a key', async () => {
  const { press, send, run } = await open('zsh');
  await send('setopt correct');
  const asked = await send('sleeep 0');
  expect(asked).toMatchObject({ waitingFor: 'key', prompt: expect.stringContaining('[nyae]?') });
  await expect(run('echo hi')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
  expect(await press('y')).toMatchObject({ waitingFor: 'command', certainty: 'certain' });
});

for (const [shell, hook] of [
  ['bash', `PROMPT_COMMAND='read -p "Sure? " answer; unset PROMPT_COMMAND'`],
  ['zsh', 'precmd() { read "answer?Sure? "; unfunction precmd }'],
] as const)
  testWith(shell)(`a question before the prompt wants a line: ${shell}`, async () => {
    const { send } = await open(shell);
    expect(await send(hook)).toMatchObject({ waitingFor: 'line', prompt: 'Sure? ' });
    expect(await send('yes')).toMatchObject({ waitingFor: 'command', certainty: 'certain' });
    expect(await send('echo $answer')).toMatchObject({ output: 'yes' });
  });

testWith('ksh93')('a command is run in ksh93', async () => {
  const sessions = new LocalSessions();
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const { session } = await sessions.open({ command: ['ksh93', '-i'] });
  expect(await sessions.run('echo six; false', { session })).toMatchObject({
    output: 'six',
    exitCode: 1,
  });
});
