import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHousekeeping } from '../../../src/daemon/server/housekeeping.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

/** Closes a session right after it was listed, as another client might. */
class ClosingSessions extends LocalSessions {
  closeAfterList: string | undefined;

  override async list() {
    const listed = await super.list();
    const { closeAfterList: session } = this;
    this.closeAfterList = undefined;
    if (session !== undefined) await this.close(session);
    return listed;
  }
}

const depsFor = (sessions: LocalSessions) => {
  const logged: string[] = [];
  return {
    sessions,
    journal: { sessions: [] },
    log: { write: (line: string) => logged.push(line) },
    logged,
  };
};

test('sessions whose programs have exited are closed, even if another client closes one meanwhile', async () => {
  await using sessions = new ClosingSessions();
  await sessions.open({ command: ['true'], name: 'first' });
  await sessions.open({ command: ['true'], name: 'second' });
  await sessions.open({ command: ['cat'], name: 'alive' });
  await until('both have exited', async () => {
    const states = (await sessions.list()).map(({ state }) => state);
    return states.filter((state) => state === 'exited').length === 2;
  });
  sessions.closeAfterList = 'first';
  const deps = depsFor(sessions);
  await runHousekeeping(deps, join(folderWith(), 'none'), -1);
  expect(deps.logged).toEqual([expect.stringMatching(/session first: No session "first"/)]);
  expect((await sessions.list()).map(({ session }) => session)).toEqual(['alive']);
});

test('a folder of recordings that cannot be read is logged, and exited sessions are still closed', async () => {
  await using sessions = new LocalSessions();
  await sessions.open({ command: ['true'], name: 'first' });
  await sessions.wait({ until: 'exit' });
  const deps = depsFor(sessions);
  await runHousekeeping(deps, join(folderWith({ file: '' }), 'file'), -1);
  expect(deps.logged).toEqual([expect.stringContaining('old recordings: ENOTDIR')]);
  expect(await sessions.list()).toEqual([]);
});
