/** Several people are attached to one session, each in a terminal of their own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { detach, expectSameScreen, screenOf } from '../../helpers/cli/attached.ts';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { personInTmux } from '../../helpers/cli/tmux.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const withTmux = testWith('tmux', 'bash');

const large = { cols: 100, rows: 30 };
const small = { cols: 60, rows: 12 };
/** Of a window with a status line. */
const session = ({ cols, rows }: { cols: number; rows: number }) => ({ cols, rows: rows - 1 });

const twoPeople = async () => {
  const cli = ownCli();
  await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
  const [ann, bob] = await Promise.all([
    personInTmux(cli.env, large),
    personInTmux(cli.env, small),
  ]);
  const both = (size: { cols: number; rows: number }) =>
    Promise.all([ann, bob].map((person) => expectSameScreen(person, cli, 'sh', session(size))));
  return { cli, ann, bob, both };
};

const hasSize = (cli: ReturnType<typeof ownCli>, cols: number, rows: number) =>
  until(`the size is ${cols}x${rows}`, async () => {
    const screen = await screenOf(cli, 'sh');
    return screen.cols === cols && screen.rows === rows;
  });

describe('the size of a session', { timeout: 90_000 }, () => {
  withTmux('is that of the window which was used last', async () => {
    const { cli, ann, bob, both } = await twoPeople();
    await bob.enter('repartee attach sh');
    await expectSameScreen(bob, cli, 'sh', session(small));
    await ann.enter('repartee attach sh');
    await expectSameScreen(ann, cli, 'sh', session(large));
    await bob.enter("printf '%.0sx' {1..50}; echo; echo $((6 * 7))");
    await ann.sees(/^42$/);
    await both(small);
    await ann.enter('echo $((6 * 8))');
    await ann.sees(/^48$/);
    await expectSameScreen(ann, cli, 'sh', session(large));
    await ann.resize(110, 35);
    await expectSameScreen(ann, cli, 'sh', session({ cols: 110, rows: 35 }));
    await detach(ann);
    await expectSameScreen(bob, cli, 'sh', session(small));
    await detach(bob);
    await hasSize(cli, 120, 40);
  });

  withTmux('is with --size smallest the one that fits into all windows', async () => {
    const { cli, ann, bob, both } = await twoPeople();
    await bob.enter('repartee attach sh --size smallest');
    await expectSameScreen(bob, cli, 'sh', session(small));
    await ann.enter('repartee attach sh');
    await both(small);
    await ann.enter('echo $((6 * 7))');
    await bob.sees(/^42$/);
    await both(small);
    await ann.resize(40, 20);
    await hasSize(cli, 40, 11);
    await ann.resize(100, 30);
    await both(small);
    await detach(bob);
    await expectSameScreen(ann, cli, 'sh', session(large));
    await cli.run('resize', 'sh', '90x20');
    await hasSize(cli, 90, 20);
    await detach(ann);
    await hasSize(cli, 90, 20);
  });

  withTmux('is given back also by an attach that was killed', async () => {
    const { cli, ann } = await twoPeople();
    const folder = folderWith();
    await ann.enter(`repartee attach sh & echo $! > ${folder}/pid; fg`);
    await hasSize(cli, large.cols, large.rows - 1);
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
    await hasSize(cli, 120, 40);
  });
});

withTmux(
  'whoever is attached stays so when the session is renamed',
  { timeout: 60_000 },
  async () => {
    const { cli, ann } = await twoPeople();
    await ann.enter('repartee attach sh --take');
    await until('she has the keyboard', async () => /keyboard/.test(await ann.title()));
    expect((await cli.run('rename', 'sh', 'build', '--json')).json).toEqual({ session: 'build' });
    await until('she sees the new name', async () => /build/.test(await ann.title()));
    await ann.enter('echo $((6 * 7))');
    await ann.sees(/^42$/);
    await expectSameScreen(ann, cli, 'build', session(large));
    const { sessions } = (await cli.run('ls', '--long', '--json')).json;
    expect(sessions).toMatchObject([
      {
        session: 'build',
        opened_by: { kind: 'agent' },
        input_by: { door: 'attach', kind: 'person' },
      },
    ]);
    expect(sessions[0].keyboard).toMatch(/ on /);
    await ann.press('C-\\', 'd');
    await ann.sees(/^\[build: detached; it goes on/);
    await until('it is given back', async () => {
      const { sessions: after } = (await cli.run('ls', '--json')).json;
      return after[0].keyboard === undefined;
    });
  },
);
