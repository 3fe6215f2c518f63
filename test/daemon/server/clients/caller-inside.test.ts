/** A caller that runs inside a session is known as such, however it was started there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../../../src/session/caller.ts';
import { readProcessStat } from '../../../../src/system/proc/process-stat.ts';
import { folderWithCli, MAIN, type OwnCli, ownCli } from '../../../helpers/cli/own-cli.ts';
import { testWith } from '../../../helpers/needs.ts';
import { folderWith } from '../../../helpers/temporary-folder.ts';
import { until } from '../../../helpers/until.ts';

/** A shell command that opens a session called `made`, as it stands in a script. */
const openMade = (cli: OwnCli): string => {
  const { XDG_RUNTIME_DIR, XDG_STATE_HOME, XDG_CONFIG_HOME } = cli.daemon.env;
  // Named here, since one of the callers has no environment.
  const env = `env XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR} XDG_STATE_HOME=${XDG_STATE_HOME} XDG_CONFIG_HOME=${XDG_CONFIG_HOME}`;
  return `${env} PATH=/usr/bin:/bin '${process.execPath}' '${MAIN}' open --name made -- cat`;
};

const openedBy = async (cli: OwnCli, session: string): Promise<Caller | undefined> => {
  const { sessions } = (await cli.run('ls', '--long', '--json')).json;
  return sessions.find((each: { session: string }) => each.session === session)?.opened_by;
};

/** Types the line into a bash session, and returns who opened the session `made` from it. */
const callFromBash = async (cli: OwnCli, line: string): Promise<Caller | undefined> => {
  await cli.run('open', '--name', 'outer', '--', 'bash', '--norc');
  await cli.run('send', 'outer', line);
  let caller: Caller | undefined;
  await until('it has called', async () => {
    caller = await openedBy(cli, 'made');
    return caller !== undefined;
  });
  return caller;
};

/** Waits until all its parents have ended: then the daemon, whose pid is $1, is its parent. */
const untilOrphaned = `while [ "$(cut -d ' ' -f 4 /proc/$$/stat)" != "$1" ]; do :; done`;

const orphanScript = (cli: OwnCli): string => `${untilOrphaned}; ${openMade(cli)}`;

const ways: readonly [what: string, line: (cli: OwnCli, folder: string) => string][] = [
  ['a child', (cli) => openMade(cli)],
  ['a job in the background', (cli) => `${openMade(cli)} > /dev/null 2>&1 < /dev/null &`],
  [
    'an orphan that has left the session and its terminal',
    (_cli, folder) => `(setsid sh -c "sh ${folder}/orphan $PPID < /dev/null > /dev/null 2>&1 &" &)`,
  ],
  ['a process without an environment', (cli) => `env -i ${openMade(cli)}`],
  [
    'an orphan in the session, without an environment',
    (_cli, folder) => `(env -i sh ${folder}/orphan $PPID < /dev/null > /dev/null 2>&1 &)`,
  ],
];

testWith('bash').each(ways)('%s is inside the session', { timeout: 60_000 }, async (_, line) => {
  const cli = ownCli();
  const folder = folderWith({ orphan: orphanScript(cli) });
  const caller = await callFromBash(cli, line(cli, folder));
  expect(caller).toMatchObject({ door: 'cli', kind: 'agent', inside: { session: 'outer' } });
});

testWith('bash')(
  'an orphan that has left the session and has no environment is inside one of ours',
  { timeout: 60_000 },
  async () => {
    const cli = ownCli();
    const folder = folderWith({ orphan: orphanScript(cli) });
    const line = `(env -i setsid sh -c "sh ${folder}/orphan $PPID < /dev/null > /dev/null 2>&1 &" &)`;
    expect(await callFromBash(cli, line)).toMatchObject({ kind: 'agent', inside: {} });
  },
);

testWith('bash')('what a session has started is not one of another session', async () => {
  const cli = ownCli();
  await cli.run('open', '--name', 'other', '--', 'bash', '--norc');
  const { output } = (await cli.run('send', 'other', 'echo "<$REPARTEE_SESSION>"', '--json')).json;
  const [, token] = /<(.+)>/.exec(output)!;
  const line = `REPARTEE_SESSION=${token} ${openMade(cli)}`;
  // The kernel's word counts more than a copied variable.
  expect(await callFromBash(cli, line)).toMatchObject({ inside: { session: 'outer' } });
});

test('a caller outside our sessions is inside none', async () => {
  const cli = ownCli();
  await cli.run('open', '--name', 'one', '--', 'cat');
  const caller = await openedBy(cli, 'one');
  expect(caller).toEqual({
    door: 'cli',
    user: expect.any(String),
    uid: process.getuid?.(),
    kind: 'agent',
    pid: expect.any(Number),
  });
});

testWith('bash')(
  'the daemon reaps the orphans of its sessions, and leaves to Node its own children',
  { timeout: 60_000 },
  async () => {
    const cli = ownCli();
    const folder = folderWith({ orphan: `${untilOrphaned}; echo $$ >> "$2"` });
    await using sessions = await cli.daemon.connect();
    await sessions.open({ name: 'outer', command: ['bash', '--norc'] });
    const pids = join(folder, 'pids');
    const loop = `for i in {1..40}; do (sh ${folder}/orphan $PPID ${pids} > /dev/null &); done`;
    const typed = sessions.send('outer', { text: loop });
    // Every new pattern is first compiled in a child of the daemon, which then learns how that ended.
    const search = (n: number) => sessions.read('outer', { search: `(?:${n}|done)+` });
    await Promise.all([typed, ...Array.from({ length: 10 }, (_, n) => search(n))]);
    const orphans = () =>
      existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : [];
    await until('all were orphaned', () => orphans().length === 40);
    await until('none is left, not even as a zombie', () =>
      orphans().every((pid) => readProcessStat(pid) === undefined),
    );
  },
);

testWith('bash')('a client inside a session is that of the new name after a rename', async () => {
  const cli = ownCli();
  const folder = folderWithCli();
  await cli.run('open', '--name', 'outer', '--', 'bash', '--norc');
  const sessions = await cli.daemon.connect();
  onTestFinished(() => sessions[Symbol.asyncDispose]());
  await sessions.open({ name: 'other', command: ['cat'] });
  await cli.run('send', 'outer', `${folder}/repartee wait other --until exit > /dev/null &`);
  const inside = async () =>
    (await cli.daemon.status()).callers?.map((caller) => caller.inside?.session).filter(Boolean);
  await until('it is connected', async () => (await inside())?.[0] === 'outer');
  await sessions.rename('outer', 'inner');
  expect(await inside()).toEqual(['inner']);
});
