import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SessionJournal } from '../../../src/daemon/server/session-journal.ts';
import { ownCaller } from '../../../src/session/caller.ts';
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

test('a session that was renamed is lost under its new name', () => {
  const path = join(folderWith(), 'journal.json');
  const journal = new SessionJournal(path, () => {});
  const openedBy = ownCaller();
  const opened = { type: 'opened', command: ['cat'], pid: 7, openedBy } as const;
  journal.update({ ...opened, session: 'old' }, undefined);
  journal.update({ type: 'renamed', session: 'old', to: 'new' }, undefined);
  expect(journal.sessions).toEqual([{ name: 'new', command: ['cat'] }]);
  const next = new SessionJournal(path, () => {});
  expect(next.findLost('new')).toEqual({ name: 'new', command: ['cat'] });
  expect(next.findLost('old')).toBeUndefined();
});
