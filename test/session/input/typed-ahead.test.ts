import { expect, onTestFinished, test } from 'vitest';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import type { OpenOptions } from '../../../src/session/options/options.ts';
import { testWith } from '../../helpers/needs.ts';

const begin = async (options: OpenOptions) => {
  const sessions = new LocalSessions();
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0 })));
  const { session } = await sessions.open(options);
  const all = async () =>
    (await sessions.read(session, { from: 0, until: 'ready', timeoutMs: 10_000 })).output;
  return { sessions, session, all };
};

testWith('python3')('a line typed to a busy REPL is echoed twice, and left out twice', async () => {
  const { sessions, session } = await begin({ command: ['python3', '-q'] });
  await sessions.send(session, {
    text: 'import time; print("beg" + "un", flush=True); time.sleep(0.3)',
    match: 'begun',
  });
  const { output } = await sessions.send(session, { text: 'print("x" + "y")' });
  expect(output.replace(/^begun\n/, '')).toBe('xy');
});

testWith('bash')('output of a program is not mistaken for a second echo', async () => {
  const { sessions, session, all } = await begin({ command: ['bash', '--norc'] });
  await sessions.send(session, { text: 'echo "beg""un"; sleep 0.3; cat', match: 'begun' });
  await sessions.send(session, { text: 'hello', match: 'hello' });
  await sessions.send(session, { text: 'end', match: 'end' });
  expect(await all()).toBe('begun\nhello\nend');
});

testWith('cat')('the echoes of two callers that type at once are left out', async () => {
  const { sessions, session, all } = await begin({ command: ['cat'] });
  await Promise.all([
    sessions.send(session, { text: 'one', match: 'one' }),
    sessions.send(session, { text: 'two', match: 'two' }),
  ]);
  expect(await all()).toBe('one\ntwo');
});

for (const shell of ['bash', 'zsh'])
  testWith(shell)(`the blank lines of a paste that ${shell} redraws are left out`, async () => {
    const { sessions, session } = await begin({ shell, clean: true });
    const text = 'cat <<X\na\n\n\n\n\nb\nX\n\n\n\n\necho z';
    const { output } = await sessions.send(session, { text });
    expect(output).toBe('a\n\n\n\n\nb\nz');
  });

test("node's REPL runs what was sent, not the completion that it shows meanwhile", async () => {
  const { sessions, session } = await begin({ command: [process.execPath] });
  // It would complete `q` to `queueMicrotask`, and an Enter that comes later would accept that.
  const { output } = await sessions.send(session, { text: 'let q = 5; q' });
  expect(output).toBe('5');
});
