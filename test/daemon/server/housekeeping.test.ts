import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHousekeeping } from '../../../src/daemon/server/housekeeping.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

/** In which somebody closes a session right after it was listed. */
class Busy extends LocalSessions {
  doomed: string | undefined;

  override async list() {
    const listed = await super.list();
    const { doomed } = this;
    this.doomed = undefined;
    if (doomed !== undefined) await this.close(doomed);
    return listed;
  }
}

const houseOf = (sessions: LocalSessions) => {
  const logged: string[] = [];
  return {
    sessions,
    journal: { sessions: [] },
    log: { write: (line: string) => logged.push(line) },
    logged,
  };
};

test('sessions whose programs have exited are closed, also where somebody closes one meanwhile', async () => {
  await using sessions = new Busy();
  await sessions.open({ command: ['true'], name: 'first' });
  await sessions.open({ command: ['true'], name: 'second' });
  await sessions.open({ command: ['cat'], name: 'alive' });
  await until('both have exited', async () => {
    const states = (await sessions.list()).map(({ state }) => state);
    return states.filter((state) => state === 'exited').length === 2;
  });
  sessions.doomed = 'first';
  const house = houseOf(sessions);
  await runHousekeeping(house, join(folderWith(), 'none'), -1);
  expect(house.logged).toEqual([expect.stringMatching(/session first: No session "first"/)]);
  expect((await sessions.list()).map(({ session }) => session)).toEqual(['alive']);
});

test('recordings that cannot be looked at are logged, and the sessions are seen to', async () => {
  await using sessions = new LocalSessions();
  await sessions.open({ command: ['true'], name: 'first' });
  await sessions.wait({ until: 'exit' });
  const house = houseOf(sessions);
  await runHousekeeping(house, join(folderWith({ file: '' }), 'file'), -1);
  expect(house.logged).toEqual([expect.stringContaining('old recordings: ENOTDIR')]);
  expect(await sessions.list()).toEqual([]);
});
