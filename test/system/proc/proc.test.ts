import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { descriptorLinksOf } from '../../../src/system/proc/descriptor-info.ts';
import { closeKeptProcFiles, realProc } from '../../../src/system/proc/proc.ts';
import { childPidsOf } from '../../../src/system/proc/process-info.ts';
import { rereadProcessStat } from '../../../src/system/proc/process-stat.ts';
import { asRoot } from '../../helpers/needs.ts';
import { until } from '../../helpers/until.ts';

test('a kept file is read whole, though the kernel gives it in pieces', async () => {
  const children = 900;
  const forks = `import os, time
for _ in range(${children}):
    if os.fork() == 0:
        time.sleep(600)
print("ready", flush=True)
time.sleep(600)`;
  const parent = spawn('python3', ['-c', forks], { detached: true });
  try {
    await once(parent.stdout, 'data');
    expect(childPidsOf(parent.pid!, `${parent.pid}`, realProc)).toHaveLength(children);
  } finally {
    process.kill(-parent.pid!, 'SIGKILL');
  }
});

asRoot(test)('the next process with the same pid is not taken for one that is gone', async () => {
  // Others take pids at the same time, some of them for long, so this may need several attempts.
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = await spawned();
    const { pid } = first;
    expect(rereadProcessStat(pid, realProc)?.pid).toBe(pid);
    await end(first);
    for (let again = 0; again < 20; again++) {
      writeFileSync('/proc/sys/kernel/ns_last_pid', `${pid - 1}`);
      const next = await spawned();
      const found = rereadProcessStat(next.pid, realProc);
      await end(next);
      expect(found?.pid).toBe(next.pid);
      if (next.pid === pid) return;
    }
  }
  throw new Error('no process got a pid again');
});

test('kept files are closed when they are no longer read', async () => {
  closeKeptProcFiles();
  const isKept = () => descriptorLinksOf(process.pid).includes(`/proc/${process.pid}/stat`);
  rereadProcessStat(process.pid, realProc);
  expect(isKept()).toBe(true);
  await until('it is closed', () => !isKept());
});

const spawned = async () => {
  const child = spawn('sleep', ['600']);
  await once(child, 'spawn');
  return child as typeof child & { pid: number };
};

const end = async (child: Awaited<ReturnType<typeof spawned>>): Promise<void> => {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};
