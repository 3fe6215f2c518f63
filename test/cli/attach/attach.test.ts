import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { detach, expectSameScreen, screenOf } from '../../helpers/cli/attached.ts';
import { MAIN, ownCli } from '../../helpers/cli/own-cli.ts';
import { personInTmux } from '../../helpers/cli/tmux.ts';
import { killWithKeeper } from '../../helpers/daemon/kill-daemon.ts';
import { isAlive } from '../../helpers/daemon/processes.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const withTmux = (...programs: string[]) => testWith('tmux', ...programs);

/** With the status line the session gets a row less than the window has. */
const bothWays: [how: string, option: string, rowsBelow: number][] = [
  ['above a status line', '', 1],
  ['in the whole window', ' --no-status', 0],
];

describe.each(bothWays)('attach, %s', (_, option, rowsBelow) => {
  withTmux('vim')(
    'shows vim as it is, follows the window, and gives the size back',
    { timeout: 60_000 },
    async () => {
      const cli = ownCli();
      const folder = folderWith({
        text: Array.from({ length: 60 }, (_, n) => `line ${n} ${'é漢'.repeat(n % 7)}`).join('\n'),
      });
      await cli.run('open', '--name', 'vim', '--', 'vim', '-u', 'NONE', '-N', join(folder, 'text'));
      const person = await personInTmux(cli.env);
      await person.enter(`repartee attach vim${option}`);
      await person.sees(/^line 0/);
      await expectSameScreen(person, cli, 'vim', { cols: 90, rows: 25 - rowsBelow });

      await person.type('Gothe last line');
      await person.press('Escape');
      await person.sees(/^the last line/);
      await expectSameScreen(person, cli, 'vim', { cols: 90, rows: 25 - rowsBelow });

      await person.resize(70, 15);
      await expectSameScreen(person, cli, 'vim', { cols: 70, rows: 15 - rowsBelow });
      await person.resize(110, 35);
      await expectSameScreen(person, cli, 'vim', { cols: 110, rows: 35 - rowsBelow });

      await detach(person);
      await until('the size is as before', async () => {
        const { cols, rows } = await screenOf(cli, 'vim');
        return cols === 120 && rows === 40;
      });
      await person.enter(`clear; repartee attach vim${option}`);
      await person.sees(/^the last line/);
      await expectSameScreen(person, cli, 'vim', { cols: 110, rows: 35 - rowsBelow });
      await person.type(':q!');
      await person.press('Enter');
      await person.sees(/it exited with code 0/);
    },
  );

  withTmux('vim')(
    "brings the person's own screen back, and the session's when its program leaves the whole screen",
    { timeout: 60_000 },
    async () => {
      const cli = ownCli();
      await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
      await cli.run('send', 'sh', 'echo before vim');
      await cli.run('send', 'sh', 'vim -u NONE -N');
      const person = await personInTmux(cli.env);
      await person.enter('echo $((6 * 7)) is mine');
      await person.sees(/^42 is mine$/);
      await person.enter(`repartee attach sh${option}`);
      await person.sees(/^~$/);
      await detach(person);
      expect(await person.window()).toContain('42 is mine');

      await person.enter(`repartee attach sh${option}`);
      await person.sees(/^~$/);
      await person.type(':q');
      await person.press('Enter');
      await person.sees(/^before vim$/);
      await person.enter('echo "after $((40 + 2))"');
      await person.sees(/^after 42$/);
      await expectSameScreen(person, cli, 'sh', { cols: 90, rows: 25 - rowsBelow });
      await detach(person);
    },
  );

  withTmux('htop')('shows htop, which draws all the time', { timeout: 60_000 }, async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'htop', '--', 'htop', '-d', '30');
    const person = await personInTmux(cli.env);
    await person.enter(`repartee attach htop${option}`);
    await person.sees(/F10/);
    await expectSameScreen(person, cli, 'htop', { cols: 90, rows: 25 - rowsBelow });
    await person.resize(100, 20);
    await expectSameScreen(person, cli, 'htop', { cols: 100, rows: 20 - rowsBelow });
    await person.press('F10');
    await person.sees(/it exited with code 0/);
  });

  withTmux('seq')(
    'keeps up with a flood of output while somebody else types',
    { timeout: 60_000 },
    async () => {
      const cli = ownCli();
      await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
      const person = await personInTmux(cli.env);
      await person.enter(`repartee attach sh${option}`);
      await person.sees(/^bash-/);
      expect((await cli.run('send', 'sh', 'seq 1 30000', '--timeout', '20s')).code).toBe(0);
      await person.sees(/^30000$/);
      await expectSameScreen(person, cli, 'sh', { cols: 90, rows: 25 - rowsBelow });
      await person.enter('echo "$((6 * 7)) by a person"');
      await person.sees(/^42 by a person$/);
      await expectSameScreen(person, cli, 'sh', { cols: 90, rows: 25 - rowsBelow });
    },
  );
});

describe('attach', () => {
  withTmux('cat')(
    'with --take only the person types, until it is given back with a key',
    { timeout: 60_000 },
    async () => {
      const cli = ownCli();
      await cli.run('open', '--name', 'c', '--', 'cat');
      const person = await personInTmux(cli.env);
      await person.enter('repartee attach c --take');
      await until('the keyboard is taken', async () =>
        (await person.title()).includes('you have the keyboard'),
      );
      const refused = await cli.run('send', 'c', 'from the agent', '--json');
      expect(refused.code).toBe(1);
      expect(refused.json.error).toMatchObject({ code: 'KEYBOARD_TAKEN' });
      expect(refused.json.error.message).toMatch(/^A person \(.*\) has the keyboard/);
      expect((await cli.run('ls')).stdout).toMatch(/has the keyboard/);
      await person.enter('from the person');
      await person.sees(/^from the person$/);

      await person.press('C-\\', 't');
      await until('it is given back', async () => (await person.title()).includes('everybody'));
      expect((await cli.run('send', 'c', 'from the agent')).stdout).toContain('from the agent\n');
      await person.press('C-\\', 't');
      await until('it is taken again', async () => (await person.title()).includes('you have'));
      await detach(person);
      expect((await cli.run('send', 'c', 'free again')).stdout).toContain('free again\n');
    },
  );

  withTmux('cat')(
    'with --read-only nothing is typed and the size stays',
    { timeout: 60_000 },
    async () => {
      const cli = ownCli();
      await cli.run('open', '--name', 'c', '--cols', '70', '--rows', '20', '--', 'cat');
      await cli.run('send', 'c', 'hello');
      const person = await personInTmux(cli.env, { cols: 100, rows: 30 });
      await person.enter('repartee attach c --read-only');
      await person.sees(/^hello$/);
      await person.sees(/you look on | q leaves/);
      await expectSameScreen(person, cli, 'c', { cols: 70, rows: 20 });
      await person.type('not for the program');
      await cli.run('send', 'c', 'from the agent');
      await person.sees(/^from the agent$/);
      await expectSameScreen(person, cli, 'c', { cols: 70, rows: 20 });
      expect((await screenOf(cli, 'c')).output).not.toContain('not for');
      await person.press('q');
      await person.sees(/detached/);
    },
  );

  withTmux('cat')(
    "gives the person's terminal back however it ends",
    { timeout: 60_000 },
    async () => {
      const cli = ownCli();
      const folder = folderWith();
      // Switches on every mode that can be switched on.
      const modes = '\\033[?1049h\\033[?25l\\033[?1h\\033=\\033[?1000h\\033[?1006h\\033[?2004h';
      const program = `printf '${modes}busy'; stty raw -echo; exec cat`;
      const person = await personInTmux(cli.env);
      const terminalState = async (name: string) => {
        await person.enter(`stty -a > ${folder}/${name}; echo written $((1 + 1))-${name}`);
        await person.sees(new RegExp(`written 2-${name}`));
        return readFileSync(join(folder, name), 'utf8');
      };
      const before = await terminalState('before');
      const endings: [name: string, end: (pid: number) => Promise<unknown>, message: RegExp][] = [
        ['detached', () => person.press('C-\\', 'd'), /detached; it goes on/],
        ['exited', () => cli.run('close', 's'), /ended by SIG|exited|closed/],
        ['daemon-killed', () => killWithKeeper(cli.daemon), /the daemon has ended/],
        ['terminated', async (pid) => process.kill(pid, 'SIGTERM'), /ended by SIGTERM/],
      ];
      for (const [name, end, message] of endings) {
        await cli.run('close', '--all');
        await cli.run('open', '--name', 's', '--timeout', '2s', program);
        await person.enter(`clear; repartee attach s & echo $! > ${folder}/pid; fg`);
        await person.sees(/^busy/);
        const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
        await end(pid);
        await person.sees(message);
        await until('attach has ended', () => !isAlive(pid));
        expect(await terminalState(name)).toBe(before);
        expect(await person.modes()).toEqual({
          alternate: '0',
          cursor: '1',
          mouse: '0',
          keypad: '0',
        });
      }
    },
  );

  withTmux('cat')('a password that a person types is in no recording', async () => {
    const cli = ownCli();
    const folder = folderWith({
      login:
        "stty -echo; printf 'Password: '; read -r p; stty echo; printf '\\n%s got\\n' $(printf %s $p | wc -c)",
    });
    await cli.run('open', '--name', 'l', '--', 'sh', join(folder, 'login'));
    const person = await personInTmux(cli.env);
    await person.enter('repartee attach l');
    await person.sees(/^Password:/);
    await person.enter('tr0ub4dor&3');
    await person.sees(/it exited with code 0/);
    const { files } = (await cli.run('replay', 'l', '--json')).json;
    const recorded = readFileSync(files[0], 'utf8');
    expect(recorded).toContain('11 got');
    expect(recorded).not.toContain('tr0ub4dor');
    expect(recorded).toContain('"hidden":true');
  });

  withTmux('cat')(
    'an unknown key after Ctrl-\\ does not end the program, and is told',
    async () => {
      const cli = ownCli();
      await cli.run('open', '--name', 'c', '--', 'sh', '-c', 'echo before; exec cat');
      const person = await personInTmux(cli.env);
      await person.enter('repartee attach c');
      await person.sees(/^before$/);
      await person.press('C-\\', 'z');
      await until('the title names the keys', async () =>
        /Ctrl-. d detaches/.test(await person.title()),
      );
      await person.sees(/^ c: Ctrl-. d detaches/);
      await person.enter('after');
      await person.sees(/^after$/);
      await detach(person);
    },
  );

  withTmux('cat')('says why it cannot attach', async () => {
    const cli = ownCli();
    expect(await cli.run('attach', 'c')).toMatchObject({ code: 2 });
    const person = await personInTmux(cli.env);
    await person.enter('repartee attach nobody; echo code $?');
    await person.sees(/No session "nobody"/);
    await person.sees(/^code 1$/);
    await cli.run('open', '--name', 'gone', 'true');
    await person.enter('repartee attach gone --json; echo code $?');
    await person.sees(/"code":"PROGRAM_EXITED"/);
    await person.sees(/^code 4$/);
  });

  testWith('bash')('refuses to show a session in itself', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'self', '--', 'bash', '--norc');
    const attach = `'${process.execPath}' '${MAIN}' attach self; echo code $?`;
    const { stdout } = await cli.run('send', 'self', attach, '--match', 'code \\d');
    expect(stdout).toContain('This terminal is session "self" itself');
    expect(stdout).toContain('code 2');
  });
});
