import { describe, expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';

describe('wait', () => {
  test('returns with the first of several sessions', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'slow', '--timeout', '0', 'sleep', '100');
    await cli.run('open', '--name', 'quick', '--timeout', '0', 'sleep', '0.2');
    const { code, json } = await cli.run('wait', '--until', 'exit', '--json');
    expect(code).toBe(0);
    expect(json).toMatchObject({ session: 'quick', state: 'exited', exit_code: 0 });
  });

  test('3: time was up; 4: it exited instead', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 's', '--timeout', '0', 'sleep', '100');
    expect((await cli.run('wait', 's', '--timeout', '100ms')).code).toBe(3);
    await cli.run('open', '--name', 'e', '--timeout', '0', 'sleep', '0.2');
    expect((await cli.run('wait', 'e', '--match', 'never')).code).toBe(4);
    expect((await cli.run('wait', 'nobody')).code).toBe(1);
  });
});
