import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SessionJournal } from '../../../src/daemon/server/session-journal.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const untoldIn = (text: string) => {
  const path = join(folderWith(), 'living.json');
  writeFileSync(path, text);
  return new SessionJournal(path, () => {}).unreported;
};

test.each([
  '',
  '{"sess',
  'null',
  '7',
  '[]',
  '{}',
  '{"sessions": 7, "lost": {"length": 1}}',
  '{"sessions": [null, 7, "x", [], {}], "lost": [{"name": 7, "command": []}]}',
  '{"sessions": [{"name": "x", "command": "cat"}, {"name": "x", "command": [7]}]}',
  '{"sessions": [{"name": "x", "command": ["cat"], "recording": 7}]}',
])('a list of living sessions that no daemon has written is an empty one: %s', (text) => {
  expect(untoldIn(text)).toEqual([]);
});

test('what the list says rightly counts, whatever else is in it', () => {
  const cat = { name: 'cat', command: ['cat'] };
  expect(untoldIn(JSON.stringify({ sessions: [null, cat] }))).toEqual([cat]);
  expect(untoldIn(JSON.stringify({ sessions: [], lost: [cat, 7] }))).toEqual([cat]);
});
