import { describe, expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { testWith } from '../../helpers/needs.ts';

describe('resize, signal and close', () => {
  test('reach the program', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
    expect((await cli.run('resize', 'sh', '90x20', '--json')).json).toEqual({
      session: 'sh',
      cols: 90,
      rows: 20,
    });
    expect((await cli.run('run', 'sh', '--', 'stty size')).stdout).toBe('20 90\n');
    await cli.run('open', '--name', 'c', '--', 'cat');
    expect((await cli.run('signal', 'c', 'TERM')).code).toBe(0);
    expect((await cli.run('wait', 'c', '--until', 'exit', '--json')).json.signal).toBe('SIGTERM');
    expect((await cli.run('close', 'c', 'sh', '--json')).json).toEqual({ closed: ['c', 'sh'] });
    expect((await cli.run('ls', '--json')).json).toEqual({ sessions: [] });
  });

  test('fail with a code that says whether the command line or the name is wrong', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'c', '--', 'cat');
    expect((await cli.run('resize', 'c', '80')).code).toBe(2);
    expect((await cli.run('signal', 'c')).code).toBe(2);
    expect((await cli.run('close')).code).toBe(2);
    expect((await cli.run('close', 'nobody')).code).toBe(1);
    // This fails before anything is closed: the next line closes c.
    expect((await cli.run('close', 'c', 'nobody')).code).toBe(1);
    expect((await cli.run('close', 'c', 'c', '--json')).json).toEqual({ closed: ['c'] });
  });

  testWith('setsid')('close names surviving programs, and --force ends them', async () => {
    const cli = ownCli();
    // Only when it has become the sleep has it left the session.
    const untilItSleeps = 'until grep -q sleep /proc/$!/comm; do sleep 0.05; done';
    const command = `setsid sleep 98765 & ${untilItSleeps}; exec cat`;
    await cli.run('open', '--name', 'sh', '--', 'sh', '-c', command);
    const { json } = await cli.run('close', 'sh', '--json');
    expect(json.survivors).toMatchObject([{ name: 'sleep' }]);
    process.kill(json.survivors[0].pid, 'SIGKILL');
    await cli.run('open', '--name', 'sh', '--', 'sh', '-c', command);
    expect((await cli.run('close', '--all', '--force', '--json')).json).toEqual({ closed: ['sh'] });
    expect((await cli.run('close', '--all')).stderr).toBe('[there was nothing to close]\n');
  });
});
