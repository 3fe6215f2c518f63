import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { isAlive } from '../../helpers/daemon/processes.ts';
import { until } from '../../helpers/until.ts';

test('a daemon without descriptors for a session still lists, closes and stops, for new clients too', async () => {
  const cli = ownCli();
  const pid = await cli.daemon.start();
  // Not before: Node opens more files than that to load all modules.
  execFileSync('prlimit', [`--pid=${pid}`, '--nofile=64:64']);
  await using sessions = await cli.daemon.connect();
  const opened: string[] = [];
  const openAll = async () => {
    for (;;) opened.push((await sessions.open({ command: ['cat'] })).session);
  };
  await expect(openAll()).rejects.toMatchObject({ code: 'TERMINAL_UNAVAILABLE' });
  expect(opened.length).toBeGreaterThan(1);

  const { sessions: listed } = (await cli.run('ls', '--json')).json;
  const names = listed.map(({ session }: { session: string }) => session);
  expect(names.sort()).toEqual([...opened].sort());
  expect(await cli.run('close', opened[0]!)).toMatchObject({ code: 0 });
  expect(await cli.run('open', '--', 'cat')).toMatchObject({ code: 0 });
  expect(await cli.run('daemon', 'stop')).toMatchObject({ code: 0 });
  await until('the daemon has ended', () => !isAlive(pid));
});
