import { expect, test } from 'vitest';
import { readProcessStat } from '../../../src/system/proc/process-stat.ts';
import { lineageOf } from '../../../src/system/process/lineage.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';
import { sh } from '../../helpers/open-terminal.ts';
import { until } from '../../helpers/until.ts';

const OURS = 10;
const isOurs = (pid: number) => pid === OURS;

/** The stat line of a process. */
const stat = (pid: number, parent: number, startTime: number) =>
  `${pid} (sh) S ${parent} ${pid} ${pid} 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 ${startTime} 0 0`;

const procWith = (processes: readonly [pid: number, parent: number, startTime: number][]) => {
  const proc = new FakeProc();
  for (const [pid, ...rest] of processes) proc.files[`/proc/${pid}/stat`] = stat(pid, ...rest);
  return proc;
};

const pidsOf = (pid: number, proc: FakeProc) =>
  lineageOf(pid, proc, isOurs).processes.map((each) => each.pid);

test('a process, its ancestors up to us, and the sessions named in their environments', () => {
  const proc = procWith([
    [10, 1, 100],
    [20, 10, 200],
    [30, 20, 300],
  ]);
  proc.files['/proc/30/environ'] = 'A=1\0REPARTEE_SESSION=near\0';
  proc.files['/proc/20/environ'] = 'REPARTEE_SESSION=far\0';
  expect(pidsOf(30, proc)).toEqual([30, 20]);
  expect(lineageOf(30, proc, isOurs)).toMatchObject({
    isOurs: true,
    sessionTokens: ['near', 'far'],
  });
});

test('a process that we have not started is not ours, nor are we ourselves', () => {
  const proc = procWith([
    [1, 0, 0],
    [5, 1, 50],
    [10, 1, 100],
    [30, 5, 300],
  ]);
  proc.files['/proc/5/environ'] = 'REPARTEE_SESSION=of-another-daemon\0';
  expect(lineageOf(30, proc, isOurs)).toMatchObject({ isOurs: false, sessionTokens: [] });
  expect(pidsOf(30, proc)).toEqual([30, 5, 1]);
  expect(lineageOf(OURS, proc, isOurs)).toMatchObject({ isOurs: false, processes: [] });
});

test('a process that has ended has no lineage', () => {
  const none = { processes: [], isOurs: false, sessionTokens: [] };
  expect(lineageOf(30, procWith([]), isOurs)).toEqual(none);
});

test('a parent that ends while we look, and whose pid another process gets, is not followed', () => {
  const proc = procWith([
    [1, 0, 0],
    [20, 1, 900],
    [30, 20, 300],
  ]);
  // Its real parent has ended, so we have adopted it. The process that is 20 now began later.
  proc.onQuestion = (path) => {
    if (path === '/proc/20/stat') proc.files['/proc/30/stat'] = stat(30, 10, 300);
  };
  expect(lineageOf(30, proc, isOurs)).toMatchObject({ isOurs: true });
  expect(pidsOf(30, proc)).toEqual([30]);
});

test('processes that claim to be each other’s parents do not hold us', () => {
  const proc = procWith([
    [20, 30, 300],
    [30, 20, 300],
  ]);
  expect(lineageOf(30, proc, isOurs).isOurs).toBe(false);
});

test('a real program is ours, by its parents and by its environment', async () => {
  const { pty, see } = await sh('echo on; read x');
  await see(/on/);
  expect(lineageOf(pty.pid)).toMatchObject({ isOurs: true, sessionTokens: [pty.mark] });
});

test('a process that uses the library does not adopt the orphans of its sessions', async () => {
  const { text, see } = await sh('(sh -c \'echo "<$$>"; exec sleep 1000\' &); read x');
  await see(/<\d+>/);
  const orphan = Number(/<(\d+)>/.exec(text())![1]);
  await until('it is no longer ours', () => !lineageOf(orphan).isOurs);
  expect(readProcessStat(orphan)?.parent).not.toBe(process.pid);
});
