import { readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import type { SessionEvent } from '../../../src/session/sessions.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

/** Reads key by key, and shows of each what `shown` says. */
const reader = (shown: string) => `import os, tty
tty.setraw(0)
os.write(1, b"The word? ")
while (key := os.read(0, 1)) != b"\\r":
    os.write(1, ${shown})
os.write(1, b"\\r\\ndone\\r\\n")
os.read(0, 1)`;

const begin = async (shown: string) => {
  const sessions = new LocalSessions({ recordings: { folder: folderWith(), always: true } });
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const events: SessionEvent[] = [];
  sessions.subscribe((event) => events.push(event));
  await sessions.open({ command: ['python3', '-c', reader(shown)], name: 'it' });
  const typed = () =>
    events.flatMap((event) => (event.type === 'input' ? Buffer.from(event.bytes).toString() : []));
  const inputs = () =>
    [...readFileSync(sessions.recordingOf('it')!, 'utf8').matchAll(/^\[[\d.]+, ?"i", ?(.*)\]$/gm)]
      .map(([, text]) => JSON.parse(text!))
      .join('');
  return { sessions, typed, inputs };
};

testWith('python3')('what a person types where stars are shown is told to nobody', async () => {
  const { sessions, typed, inputs } = await begin('b"*"');
  for (const key of 'Pa55*word') await sessions.type('it', Buffer.from(key));
  await sessions.type('it', Buffer.from('\r'));
  await until('all is told', () => typed().length === 10);
  // That a star was typed may not be told from a star that is shown.
  expect(typed().join('')).toMatch(/^\*?\r$/);
  expect(inputs()).toMatch(/^\*?\r$/);
});

testWith('python3')('nor where the whole line is drawn anew, with such letters in it', async () => {
  const { sessions, typed } = await begin('b"\\r\\x1b[KThe word? *"');
  for (const key of 'word?') await sessions.type('it', Buffer.from(key));
  await until('all is told', () => typed().length === 5);
  expect(typed().join('')).toBe('');
});

testWith('python3')('nor what an agent types there at once', async () => {
  const { sessions, typed, inputs } = await begin('b"*"');
  await sessions.send('it', { text: 'open sesame' });
  await until('it is told', () => typed().length > 0);
  expect([...typed(), inputs()].join('')).not.toMatch(/\w/);
});

testWith('python3')('what is shown as it was typed is told in its order', async () => {
  const { sessions, typed, inputs } = await begin('key');
  for (const key of 'abc') await sessions.type('it', Buffer.from(key));
  await sessions.send('it', { text: 'a longer text' });
  await until('all is told', () => typed().join('').endsWith('\r'));
  expect(typed().join('')).toBe('abca longer text\r');
  expect(inputs()).toBe('abca longer text\r');
});
