import { describe, expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { killWithKeeper } from '../../helpers/daemon/kill-daemon.ts';

describe('ls', () => {
  test('is empty if no daemon runs, and starts none', async () => {
    const cli = ownCli();
    expect(await cli.run('ls')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '[no sessions; `repartee open` starts one]\n',
    });
    expect((await cli.run('ls', '--json')).json).toEqual({ sessions: [] });
    expect((await cli.run('daemon', 'status')).code).toBe(1);
  });

  test('is a table of names, states, programs and idle times, plain in a pipe', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
    await cli.run('open', '--name', 'gone', 'exit 3');
    const { stdout } = await cli.run('ls');
    const [head, sh, gone] = stdout.split('\n');
    expect(head).toMatch(/^NAME {2}STATE .* PROGRAM {2}IDLE/);
    expect(sh).toMatch(/^sh {4}wants a command .* bash .* \d+ s/);
    expect(gone).toMatch(/^gone {2}exited with 3 /);
    const { sessions } = (await cli.run('ls', '--json')).json;
    expect(sessions[0]).toMatchObject({ session: 'sh', state: 'waiting', foreground: 'bash' });
    expect(sessions[0].pid).toBeGreaterThan(1);
  });

  test('says which sessions were lost when the daemon was killed', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'precious', '--', 'cat');
    await killWithKeeper(cli.daemon);
    const { code, stderr } = await cli.run('ls');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^\[lost, since the daemon was killed: precious/);
    expect((await cli.run('send', 'precious', 'x', '--json')).json.error.code).toBe('SESSION_LOST');
  });
});
