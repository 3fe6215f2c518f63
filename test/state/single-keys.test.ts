import { expect, onTestFinished } from 'vitest';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { testWith } from '../helpers/needs.ts';

const python = 'import sys, tty; tty.setraw(0); sys.stdin.read(1)';

for (const [who, program, command] of [
  ['dd', 'dd', ['sh', '-c', 'stty raw -echo; dd bs=1 count=1 2>/dev/null']],
  ['python', 'python3', ['python3', '-c', python]],
  ['read -n 1', 'bash', ['bash', '-c', 'read -n 1 -s']],
] as const)
  testWith(program)(`a program that reads one key in raw mode wants a key: ${who}`, async () => {
    const sessions = new LocalSessions();
    onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0 })));
    const opened = await sessions.open({ command });
    expect(opened).toMatchObject({ waitingFor: 'key', certainty: 'certain' });
    const pressed = await sessions.send(opened.session, { keys: 'x' });
    expect(pressed).toMatchObject({ state: 'exited', exitCode: 0 });
  });

testWith('bash')('a line editor without a prompt wants a line', async () => {
  const sessions = new LocalSessions();
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0 })));
  const opened = await sessions.open({ command: ['bash', '-c', 'read -e line; echo "got $line"'] });
  expect(opened).toMatchObject({ waitingFor: 'line', certainty: 'certain' });
  expect(await sessions.send(opened.session, { text: 'it' })).toMatchObject({ output: 'got it' });
});
