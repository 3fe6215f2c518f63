import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { closeKeptProcFiles } from '../../../src/system/proc/proc.ts';
import { readProcessStat } from '../../../src/system/proc/process-stat.ts';
import { descendantPids } from '../../../src/system/process/process-tree.ts';
import { openPty } from '../../../src/system/terminal/pty.ts';
import { env, openDescriptors } from '../../helpers/open-terminal.ts';

test('1,000 sessions, 200 of which fail to start, leave no descriptor, child or zombie', async () => {
  const options = { args: [], cwd: '/', env, cols: 80, rows: 24, onOutput: () => {} };
  const attempt = async (program: string) => {
    const pty = await openPty({ ...options, program });
    await pty.close({ graceMs: 100 });
  };
  await attempt('cat');
  const children = descendantPids(process.pid).length;
  closeKeptProcFiles();
  const descriptors = openDescriptors();

  const programs = Array.from({ length: 1000 }, (_, at) => (at % 5 === 0 ? 'no-such' : 'cat'));
  const results = await Promise.allSettled(programs.map(attempt));
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason.code] : [],
  );
  expect(failures).toEqual(Array(200).fill('PROGRAM_NOT_FOUND'));

  closeKeptProcFiles();
  expect(openDescriptors()).toBe(descriptors);
  expect(descendantPids(process.pid)).toHaveLength(children);
  const zombies = readdirSync('/proc').filter((pid) => {
    const stat = /^\d+$/.test(pid) ? readProcessStat(Number(pid)) : undefined;
    return stat?.parent === process.pid && stat.state === 'Z';
  });
  expect(zombies).toEqual([]);
}, 180_000);
