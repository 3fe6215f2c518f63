import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JournaledSession } from '../../../src/daemon/protocol/protocol.ts';
import { filesOfRecording, pruneRecordings } from '../../../src/daemon/server/prune-recordings.ts';
import { killWithKeeper } from '../../helpers/daemon/kill-daemon.ts';
import { asNobody, NOBODY } from '../../helpers/daemon/nobody.ts';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { isAlive } from '../../helpers/daemon/processes.ts';
import { asRoot } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const DAY_MS = 24 * 3_600_000;

const setAge = (path: string, days: number) => {
  const date = new Date(Date.now() - days * DAY_MS);
  utimesSync(path, date, date);
};

const fail = (message: string) => expect.unreachable(message);

test('sessions are recorded by default, and only their owner can read the recordings', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: 'echo seen; cat', name: 'kept' });
  await sessions.open({ command: 'echo unseen; cat', name: 'not', record: false });
  const files = readdirSync(daemon.paths.recordings);
  expect(files).toEqual([expect.stringMatching(/^kept\..*\.1\.cast$/)]);
  const path = join(daemon.paths.recordings, files[0]!);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(daemon.paths.recordings).mode & 0o777).toBe(0o700);
  expect(readFileSync(path, 'utf8')).toContain('seen');
});

asRoot(test)('another user cannot read a recording', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: 'echo seen; cat' });
  const { recordings } = daemon.paths;
  const path = join(recordings, readdirSync(recordings)[0]!);
  const options = { uid: NOBODY, gid: NOBODY, encoding: 'utf8', cwd: '/' } as const;
  expect(spawnSync('cat', [path], options).stderr).toContain('Permission denied');
});

test('after a crash a recording is readable up to the last write, and the next client gets its path', async () => {
  const daemon = ownDaemon();
  const sessions = await daemon.connect();
  await sessions.open({ command: 'echo last words; cat', name: 'gone' });
  await killWithKeeper(daemon);
  await sessions[Symbol.asyncDispose]();
  const lost: JournaledSession[] = [];
  await using next = await daemon.connect({ onLost: (found) => void lost.push(...found) });
  const [{ recording = '' } = {}] = lost;
  const lines = readFileSync(recording, 'utf8').trimEnd().split('\n');
  expect(
    lines.filter((line) => !line.startsWith('#')).map((line) => JSON.parse(line)),
  ).toContainEqual([expect.any(Number), 'o', expect.stringContaining('last words')]);
  await expect(next.read('gone')).rejects.toMatchObject({
    code: 'SESSION_LOST',
    details: { recording },
  });
});

test('SIGTERM closes recordings with how the program ended', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'] });
  const pid = await daemon.pid();
  process.kill(pid, 'SIGTERM');
  await until('the daemon has ended', () => !isAlive(pid));
  const [file = ''] = readdirSync(daemon.paths.recordings);
  const last = readFileSync(join(daemon.paths.recordings, file), 'utf8')
    .trimEnd()
    .split('\n')
    .at(-1);
  expect(JSON.parse(last!)).toEqual([expect.any(Number), 'x', expect.any(String)]);
});

test('old recordings are erased, then the oldest of too many, never one that is being written', () => {
  const names = ['a.1.1.cast', 'a.1.2.cast', 'b.2.1.cast', 'c.3.1.cast', 'd.4.1.cast'];
  const folder = folderWith(Object.fromEntries(names.map((name) => [name, 'x'.repeat(100)])));
  writeFileSync(join(folder, 'notes.txt'), 'not ours');
  const ageDays = { 'a.1.1.cast': 40, 'a.1.2.cast': 39, 'b.2.1.cast': 38, 'c.3.1.cast': 3 };
  for (const [name, days] of Object.entries(ageDays)) setAge(join(folder, name), days);
  expect(filesOfRecording(join(folder, 'a.1.1.cast'))).toEqual(
    ['a.1.1.cast', 'a.1.2.cast'].map((name) => join(folder, name)),
  );
  const beingWritten = [join(folder, 'a.1.1.cast')];
  expect(pruneRecordings(folder, beingWritten, fail)).toEqual([join(folder, 'b.2.1.cast')]);
  expect(pruneRecordings(folder, [], fail, { maxTotalBytes: 150, maxAgeMs: 100 * DAY_MS })).toEqual(
    ['a.1.1.cast', 'a.1.2.cast', 'c.3.1.cast'].map((name) => join(folder, name)),
  );
  expect(existsSync(join(folder, 'd.4.1.cast'))).toBe(true);
  expect(existsSync(join(folder, 'notes.txt'))).toBe(true);
});

test('only files are erased, not folders and links with such a name', () => {
  const folder = folderWith({ 'notes.txt': 'not ours' });
  const others = ['a.1.1.cast', 'b.2.1.cast'].map((name) => join(folder, name));
  mkdirSync(others[0]!);
  setAge(others[0]!, 40);
  setAge(join(folder, 'notes.txt'), 40);
  symlinkSync(join(folder, 'notes.txt'), others[1]!);
  expect(pruneRecordings(folder, [], fail)).toEqual([]);
  for (const path of others) expect(lstatSync(path, { throwIfNoEntry: false })).toBeDefined();
});

asRoot(test)('a recording that cannot be erased is reported, and the others are erased', () => {
  const names = ['a.1.1.cast', 'b.2.1.cast'];
  const folder = folderWith(Object.fromEntries(names.map((name) => [name, ''])));
  const [theirs = '', ours = ''] = names.map((name) => join(folder, name));
  setAge(theirs, 41);
  setAge(ours, 40);
  chownSync(ours, NOBODY, NOBODY);
  // As in /tmp, where users can erase only their own files.
  chmodSync(folder, 0o1777);
  const errors: string[] = [];
  const erased = asNobody(() => pruneRecordings(folder, [], (message) => errors.push(message)));
  expect(erased).toEqual([ours]);
  expect(errors).toEqual([expect.stringContaining(theirs)]);
});
