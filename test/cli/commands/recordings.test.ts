import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';

describe('recordings', () => {
  test('lists those of all sessions with their command, the newest first', async () => {
    const cli = ownCli();
    expect(await cli.run('recordings')).toMatchObject({ code: 0, stdout: '' });
    await cli.run('open', '--name', 'old', 'echo once');
    await cli.run('close', 'old');
    await cli.run('open', '--name', 'new', '--', 'cat');
    const { stdout } = await cli.run('recordings');
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^WHEN +SESSION +LENGTH +SIZE +COMMAND$/);
    expect(rows).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}new +\d+ s +1 KiB +open +cat$/),
      expect.stringMatching(
        /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}old +\d+ s +1 KiB +\/.*-c echo once$/,
      ),
    ]);
  });

  test('gives facts and files as JSON, which replay plays', async () => {
    const cli = ownCli();
    for (const word of ['once', 'twice']) {
      await cli.run('open', '--name', 'w', 'echo', word);
      await cli.run('close', 'w');
    }
    await cli.run('open', '--name', 'other', '--', 'cat');
    const { recordings } = (await cli.run('recordings', 'w', '--json')).json;
    expect(recordings).toMatchObject([
      { session: 'w', open: false, command: expect.stringContaining('twice') },
      { session: 'w', open: false, command: expect.stringContaining('once') },
    ]);
    const [latest, first] = recordings;
    expect(Date.parse(latest.started)).toBeGreaterThan(Date.parse(first.started));
    expect(latest.bytes).toBeGreaterThan(0);
    expect(latest.length_ms).toBeGreaterThanOrEqual(0);
    expect(latest.files.every((file: string) => existsSync(file))).toBe(true);
    expect((await cli.run('replay', first.files[0])).stdout).toContain('once');
    expect((await cli.run('recordings', 'w', '--long')).stdout).toContain(first.files[0]);
  });

  test('names an open session as it is called now', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'before', 'echo it is; cat');
    await cli.run('rename', 'before', 'after');
    expect((await cli.run('recordings', '--json')).json.recordings).toMatchObject([
      { session: 'after', open: true },
    ]);
    for (const name of ['before', 'after'])
      expect((await cli.run('replay', name)).stdout).toContain('it is');
  });
});
