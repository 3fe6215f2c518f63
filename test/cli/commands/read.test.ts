import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

describe('read', () => {
  test('prints new output once, and any part of it again with --from', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--', 'bash', '--norc');
    expect((await cli.run('send', 'sh', 'echo one; echo two')).stdout).toBe('one\ntwo\n');
    expect((await cli.run('read', 'sh')).stdout).toBe('');
    const all = await cli.run('read', 'sh', '--from', '0');
    expect(all.stdout).toContain('one\ntwo\n');
    expect((await cli.run('read', 'sh', '--search', '^tw')).stdout).toMatch(/\d+:two/);
    const noMatch = await cli.run('read', 'sh', '--search', 'zzzz');
    expect(noMatch).toMatchObject({ code: 0, stdout: '' });
    expect(noMatch.stderr).toMatch(/^\[nothing matches zzzz\]\n\[sh: /);
  });

  test('shows the screen, what has changed on it, and raw output', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'sh', '--cols', '40', '--rows', '5', '--', 'bash', '--norc');
    await cli.run('send', 'sh', 'printf "\\033[31mred\\033[0m\\n"');
    const { json } = await cli.run('read', 'sh', '--screen', '--json');
    expect(json).toMatchObject({ cols: 40, rows: 5 });
    expect(json.output).toContain('\nred\n');
    await cli.run('send', 'sh', 'echo new', '--until', 'ready');
    expect((await cli.run('read', 'sh', '--diff')).stdout).toMatch(/\d: new/);
    expect((await cli.run('read', 'sh', '--raw')).stdout).toContain('\x1b[31mred');
    expect((await cli.run('read', 'sh', '--raw', '--diff')).code).toBe(2);
  });

  test('an exited session is 4, and can still be read', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'e', 'echo', 'bye');
    const { code, stdout } = await cli.run('read', 'e', '--from', '0');
    expect({ code, stdout }).toEqual({ code: 4, stdout: 'bye\n' });
  });

  test('--follow prints output until the program exits, and the agent still gets all of it', async () => {
    const cli = ownCli();
    const folder = folderWith();
    const script = `echo one; while [ ! -e ${folder}/go ]; do sleep 0.05; done; printf two; sleep 0.3; echo ' and a half'`;
    let seen = (await cli.run('open', '--name', 'f', '--timeout', '100ms', script)).stdout;
    while (!seen.includes('one')) seen += (await cli.run('read', 'f')).stdout;
    const following = cli.run('read', 'f', '--follow');
    writeFileSync(join(folder, 'go'), '');
    const { code, stdout } = await following;
    expect(code).toBe(0);
    expect(stdout).toBe('one\ntwo and a half\n');
    expect((await cli.run('read', 'f')).stdout).toBe('two and a half\n');
  });

  test('--follow --raw prints bytes as they arrive', async () => {
    const cli = ownCli();
    const folder = folderWith();
    const wait = `while [ ! -e ${folder}/go ]; do sleep 0.05; done`;
    await cli.run('open', '--name', 'f', '--timeout', '100ms', `${wait}; printf '\\033[1mbold'`);
    const following = cli.run('read', 'f', '--follow', '--raw', '--from', '0');
    const connected = async () => (await cli.daemon.status()).clients > 0;
    await until('somebody follows', connected);
    writeFileSync(join(folder, 'go'), '');
    expect((await following).stdout).toBe('\x1b[1mbold');
  });
});
