import { spawnSync } from 'node:child_process';
import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage } from '../../docs/pages.ts';
import { expectShown } from '../../docs/shown.ts';
import { MAIN, ownCli } from '../../helpers/cli/own-cli.ts';
import { asRoot, openToOthers, testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

/** For fifteen calls and a dozen programs on a machine that runs other tests too. */
const LONG = { timeout: 60_000 };

test('the demo talks to programs through MCP, and all results are as expected', LONG, async () => {
  // Its own folder for temporary files: another demo may be running on this machine.
  const folder = folderWith();
  const { code, json } = await ownCli().runWith({ TMPDIR: folder }, 'demo', '--json');
  expect(json.turns.filter(({ mismatch }: { mismatch?: string }) => mismatch)).toEqual([]);
  expect(code).toBe(0);
  const tools = json.turns.map(({ tool }: { tool: string }) => tool);
  expect(new Set(tools)).toEqual(
    new Set(['terminal_run', 'terminal_open', 'terminal_send', 'terminal_wait']),
  );
  expect(JSON.stringify(json)).not.toContain('correct horse');
  expect(readdirSync(folder)).toEqual([]);
});

test(
  'it prints what was sent, what came back, the verdict and the milliseconds',
  LONG,
  async () => {
    const { code, stdout } = await ownCli().run('demo');
    expect(code).toBe(0);
    const excerpt = readPage('README.md').blocks.find(({ text }) => text.startsWith(' 3  '))!.text;
    expectShown(stdout, `…\n${excerpt.replaceAll('\n\n', '\n…\n')}…`, 'README.md');
    expect(stdout).toContain('→ terminal_run {"command":"echo Hello from a shell; exit 3"}');
    expect(stdout).toMatch(/← Hello from a shell\n +exited with code 3 · \d+ ms/);
    expect(stdout).toMatch(/waiting for a secret at "Password for ada: " \(certain\) · \d+ ms/);
    expect(stdout).toContain('We land on Mars.');
    expect(stdout).toContain('mcpServers');
    expect(
      Math.max(
        ...stdout
          .split('\n')
          .slice(0, -6)
          .map((line) => line.length),
      ),
    ).toBeLessThan(101);
  },
);

test('its recording in docs can be played, and ends within 15 seconds', async () => {
  const cast = join(import.meta.dirname, '../../../docs/demo.cast');
  const { json } = await ownCli().run('replay', cast, '--json');
  expect(json).toMatchObject({ cols: 100, exit_status: 0 });
  expect(json.duration_ms).toBeLessThan(15_000);
});

for (const [who, uid] of [
  ['an ordinary user without home, settings and login', 65534],
  ['a user without a name, as in a container', 54321],
] as const) {
  openToOthers(asRoot(testWith('setpriv')))(`it works for ${who}`, () => {
    const folder = folderWith();
    chownSync(folder, uid, uid);
    const asUser = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', process.execPath, MAIN];
    const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', TMPDIR: folder };
    const options = { env, cwd: '/', encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync('setpriv', [...asUser, 'demo'], options);
    expect(stderr).toBe('');
    expect(stdout).toContain('all as expected');
    expect(readdirSync(folder)).toEqual([]);
  });
}
