/** A machine that shows the calls of a process to its ancestors alone (ptrace_scope 1), by a fake. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { killDaemon } from '../helpers/daemon/kill-daemon.ts';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { wrappedDaemon } from '../helpers/daemon/wrapped-daemon.ts';
import { testWith } from '../helpers/needs.ts';

/** What Yama 1 would deny is denied: task_is_descendant of security/yama/yama_lsm.c. */
const YAMA_1 = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { readFileSync } = fs;
fs.readFileSync = (path, ...rest) =>
  path === '/proc/sys/kernel/yama/ptrace_scope' ? '1\\n' : readFileSync(path, ...rest);
syncBuiltinESMExports();
const { realProc } = await import(dist + '/system/proc/proc.js');
const { readProcessStat } = await import(dist + '/system/proc/process-stat.js');
const isDescendant = (pid) => {
  for (let at = pid; at > 1; at = readProcessStat(at)?.parent ?? 0) if (at === process.pid) return true;
  return false;
};
for (const name of ['read', 'readKept']) {
  const read = realProc[name].bind(realProc);
  realProc[name] = (path) => {
    const [, pid] = /^\\/proc\\/(\\d+)\\/(?:task\\/\\d+\\/)?syscall$/.exec(path) ?? [];
    return pid === undefined || isDescendant(Number(pid)) ? read(path) : { missing: 'denied' };
  };
}
`;

testWith('python3')(
  'adopted programs are likely at most, with the reason, and new ones are certain',
  async () => {
    const daemon = ownDaemon();
    onTestFinished(({ task }) => {
      if (task.result?.state === 'fail') console.log(readFileSync(daemon.paths.log, 'utf8'));
    });
    await using sessions = await daemon.connect({ program: wrappedDaemon(YAMA_1) });
    const stateOf = async (name: string) => {
      await sessions.wait({ sessions: [name] });
      const { state, certainty, because } = (await sessions.list()).find(
        ({ session }) => session === name,
      )!;
      return { state, certainty, because };
    };
    await sessions.open({ command: ['python3', '-q'], name: 'adopted' });
    expect(await stateOf('adopted')).toMatchObject({ state: 'waiting', certainty: 'certain' });
    await killDaemon(daemon);
    expect(await stateOf('adopted')).toEqual({
      state: 'waiting',
      certainty: expect.stringMatching(/likely|guess/),
      because: expect.stringMatching(
        /its calls are hidden since the daemon was killed \(ptrace_scope 1\)/,
      ),
    });
    expect((await sessions.send('adopted', { text: '6 * 7' })).output).toBe('42');
    expect(await stateOf('adopted')).not.toMatchObject({ certainty: 'certain' });
    await sessions.open({ command: ['python3', '-q'], name: 'new' });
    expect(await stateOf('new')).toMatchObject({ state: 'waiting', certainty: 'certain' });
  },
);
