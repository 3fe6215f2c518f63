/** The status line in a real window, and how an attachment leaves the window. */
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

const attachedToBash = async (size: { cols: number; rows: number }) => {
  const cli = ownCli();
  await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
  const person = await personInTmux(cli.env, size);
  await person.enter('repartee attach sh');
  await person.sees(/^ sh \|/);
  return { cli, person };
};

describe('the status line of attach', { timeout: 60_000 }, () => {
  withTmux('tells whose turn it is, and stays when the program scrolls', async () => {
    const { cli, person } = await attachedToBash({ cols: 90, rows: 12 });
    await person.sees(/^ sh \| bash waiting for a command/);
    await person.enter("seq 1 100; read -p 'Name: ' name");
    await person.sees(/^100$/);
    await person.sees(/^Name:$/);
    await person.sees(/^ sh \| bash waiting for a line/);
    await expectSameScreen(person, cli, 'sh', { cols: 90, rows: 11 });
    await detach(person);
  });

  withTmux('is hidden and shown by a key, and the session gets its row meanwhile', async () => {
    const { cli, person } = await attachedToBash({ cols: 60, rows: 12 });
    await expectSameScreen(person, cli, 'sh', { cols: 60, rows: 11 });
    await person.press('C-\\', 's');
    await expectSameScreen(person, cli, 'sh', { cols: 60, rows: 12 });
    expect((await person.window()).join('\n')).not.toContain(' sh |');
    await person.press('C-\\', 's');
    await person.sees(/^ sh \|/);
    await expectSameScreen(person, cli, 'sh', { cols: 60, rows: 11 });
    await detach(person);
  });

  withTmux('leaves a very small window to the session', async () => {
    const { cli, person } = await attachedToBash({ cols: 20, rows: 5 });
    await person.enter('printf "漢字漢字漢字漢字漢字漢"; read');
    await person.sees(/^漢$/);
    await expectSameScreen(person, cli, 'sh', { cols: 20, rows: 4 });
    await person.resize(20, 3);
    await expectSameScreen(person, cli, 'sh', { cols: 20, rows: 3 });
    await person.resize(60, 8);
    await expectSameScreen(person, cli, 'sh', { cols: 60, rows: 7 });
    await person.sees(/^ sh \|/);
    await detach(person);
  });

  withTmux('lists the keys after Ctrl-\\, which waits for one of them', async () => {
    const { cli, person } = await attachedToBash({ cols: 90, rows: 12 });
    await person.press('C-\\');
    await person.sees(/^ Ctrl-. … \| d detaches/);
    await person.press('C-\\');
    await person.sees(/^ sh \|/);
    await detach(person);
    expect((await cli.run('ls', '--json')).json.sessions).toMatchObject([{ state: 'waiting' }]);
  });
});

describe('whoever leaves attach', { timeout: 60_000 }, () => {
  withTmux(
    'finds their own screen, then what the session showed, and the prompt below',
    async () => {
      const { person } = await attachedToBash({ cols: 60, rows: 14 });
      await person.enter('echo $((6 * 7)) in the session');
      await person.sees(/^42 in the session$/);
      await detach(person);
      const rows = await person.window();
      const at = rows.indexOf('42 in the session');
      expect(rows[0]).toBe('$ repartee attach sh');
      expect(rows.slice(at + 1, at + 3)).toEqual([
        expect.stringMatching(/^bash/),
        expect.stringMatching(/^\[sh: detached/),
      ]);
    },
  );

  withTmux('finds the prompt below the session without a status line, too', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
    const person = await personInTmux(cli.env, { cols: 60, rows: 14 });
    await person.enter('repartee attach sh --no-status');
    await person.sees(/^bash/);
    await person.enter('echo $((6 * 7)) in the session');
    await person.sees(/^42 in the session$/);
    await detach(person);
    const rows = await person.window();
    const at = rows.indexOf('42 in the session');
    expect(rows[at + 2]).toMatch(/^\[sh: detached/);
  });

  withTmux.each([[''], [' --no-status']])(
    'sees the last line of a program that has printed more than they could read%s',
    async (option) => {
      const cli = ownCli();
      // A shell without job control: it does not take the terminal back when attach is stopped.
      const folder = folderWith({
        look: `sh -c 'echo $$ > "$0"; exec repartee attach s${option}' "$1"; echo looked`,
      });
      const pidFile = join(folder, 'pid');
      // More than the daemon keeps for somebody who does not read.
      const program = 'read x; seq 1 1000000; echo last $((2 + 2))';
      await cli.run('open', '--name', 's', '--', 'sh', '-c', program);
      const person = await personInTmux(cli.env);
      await person.enter(`sh ${folder}/look ${pidFile}`);
      await until('it has the size of the window', async () => {
        const { cols } = await screenOf(cli, 's');
        return cols === 90;
      });
      const pid = Number(readFileSync(pidFile, 'utf8'));
      process.kill(pid, 'SIGSTOP');
      const { code } = await cli.run('send', 's', 'go', '--until', 'exit', '--timeout', '50s');
      expect(code).toBe(0);
      process.kill(pid, 'SIGCONT');
      await person.sees(/^last 4$/);
      await person.sees(/it exited with code 0/);
      await person.sees(/^looked$/);
    },
  );
});
