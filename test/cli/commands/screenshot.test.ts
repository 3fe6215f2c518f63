import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { readPng } from '../../picture/read-png.ts';

describe('screenshot', () => {
  test('draws the screen as PNG or SVG, and takes nothing away from the agent', async () => {
    const cli = ownCli();
    const folder = folderWith({});
    await cli.run('open', '--name', 'sh', '--cols', '40', '--rows', '5', '--', 'bash', '--norc');
    await cli.run('send', 'sh', 'printf "\\033[31mred\\033[0m\\n"');
    const png = join(folder, 'a.PNG');
    const taken = await cli.run('screenshot', 'sh', png, '--json');
    expect(taken).toMatchObject({ code: 0, json: { file: png } });
    expect(readPng(readFileSync(png))).toMatchObject({ width: 360, height: 90 });
    const svg = join(folder, 'a.svg');
    expect((await cli.run('screenshot', 'sh', svg)).stderr).toMatch(/^\[.*a\.svg: \d+ bytes\]\n$/);
    expect(readFileSync(svg, 'utf8')).toContain('>red</tspan>');
    // The agent has seen no screen yet, so all of it is new.
    expect((await cli.run('read', 'sh', '--diff')).stdout).toContain('red');
  });

  test('says what is wrong with a file, a name or a size', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'c', '--', 'cat');
    const gif = await cli.run('screenshot', 'c', 'a.gif');
    expect(gif).toMatchObject({ code: 2, stdout: '' });
    expect(gif.stderr).toContain('A picture is .png or .svg.');
    const nowhere = await cli.run('screenshot', 'c', '/nowhere/a.png', '--json');
    expect(nowhere).toMatchObject({ code: 1, json: { error: { code: 'FILE_NOT_WRITTEN' } } });
    const missing = await cli.run('screenshot', 'none', 'a.png', '--json');
    expect(missing).toMatchObject({ code: 1, json: { error: { code: 'SESSION_NOT_FOUND' } } });
    await cli.run('resize', 'c', '900x20');
    const large = await cli.run('screenshot', 'c', 'a.png', '--json');
    expect(large).toMatchObject({ code: 1, json: { error: { code: 'PICTURE_TOO_LARGE' } } });
  });
});
