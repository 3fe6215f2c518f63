import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseProcessStat, readProcessStat } from '../../../src/system/proc/process-stat.ts';
import {
  allProcesses,
  descendantPids,
  processesOfSession,
} from '../../../src/system/process/process-tree.ts';
import { open, sh } from '../../helpers/open-terminal.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

test.each([') R 1', '(', ')', ' ', 'a b) S (c', '\n'])(
  'a program may be named %j, and its stat is still read right',
  (name) => {
    const rest =
      'S 1 42 43 34816 99 4194304 1 2 3 4 500 600 0 0 20 0 1 0 7777 8 9 10 11 12 13 14 15 16 17 4096 2 19';
    expect(parseProcessStat(`42 (${name}) ${rest}\n`)).toEqual({
      pid: 42,
      name: name.replace('\n', '␊'),
      state: 'S',
      parent: 1,
      processGroup: 42,
      session: 43,
      terminal: 34816,
      foregroundGroup: 99,
      threads: 1,
      startTime: 7777,
      ignored: 4096,
      caught: 2,
    });
  },
);

test('a real program with an awkward name is read right', async () => {
  const { pty, see } = await open(`./) R 1 2`, [], {
    cwd: folderWith({ ') R 1 2': '#!/bin/sh\necho on; read x\n' }),
  });
  await see(/on/);
  expect(readProcessStat(pty.pid)).toMatchObject({
    pid: pty.pid,
    name: ') R 1 2',
    session: pty.pid,
    parent: process.pid,
  });
});

test('the numbers agree with those of the process itself', () => {
  const { pid, parent, startTime } = readProcessStat(process.pid)!;
  expect({ pid, parent }).toEqual({ pid: process.pid, parent: process.ppid });
  const text = readFileSync('/proc/self/stat', 'utf8');
  expect(text.split(' ')).toContain(String(startTime));
});

test('what is not there has no stat, no descendants and no members', async () => {
  const nobody = 2 ** 22 + 1;
  expect(readProcessStat(nobody)).toBeUndefined();
  expect(descendantPids(nobody)).toEqual([]);
  expect(await processesOfSession(nobody)).toEqual([]);
});

test('descendants are found through generations, session members through lost parents', async () => {
  const { pty, text, see } = await sh(
    'sh -c "sh -c \'echo a=\\$\\$; sleep 1000; :\'; :" & (sleep 1000 & echo b=$!); wait',
  );
  await see(/a=\d+/);
  await see(/b=\d+/);
  const pid = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(text())![1]);
  await until('its parent is gone', () => !descendantPids(pty.pid).includes(pid('b')));
  await until('it sleeps without its parent', () => readProcessStat(pid('b'))?.state === 'S');
  expect(descendantPids(pty.pid)).toContain(pid('a'));
  const members = (await processesOfSession(pty.pid)).map((stat) => stat.pid);
  expect(members).toEqual(expect.arrayContaining([pty.pid, pid('a'), pid('b')]));
});

test('scans asked for together are one', () => {
  expect(allProcesses()).toBe(allProcesses());
});
