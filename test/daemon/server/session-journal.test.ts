import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SessionJournal } from '../../../src/daemon/server/session-journal.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const unreportedIn = (text: string) => {
  const path = join(folderWith(), 'journal.json');
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
])('a journal that no daemon would write counts as empty: %s', (text) => {
  expect(unreportedIn(text)).toEqual([]);
});

test('valid entries of a journal count, even if others are invalid', () => {
  const cat = { name: 'cat', command: ['cat'] };
  expect(unreportedIn(JSON.stringify({ sessions: [null, cat] }))).toEqual([cat]);
  expect(unreportedIn(JSON.stringify({ sessions: [], lost: [cat, 7] }))).toEqual([cat]);
});
