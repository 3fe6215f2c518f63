import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { personInTmux } from '../../helpers/cli/tmux.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const lines = (...values: unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Version 2 of asciicast: times since the start. */
const version2 = lines(
  { version: 2, width: 40, height: 6, timestamp: 1700000000, env: { TERM: 'xterm' } },
  [0.1, 'o', 'first\r\n'],
  [0.2, 'm', 'here'],
  [0.3, 'i', 'x'],
  [100.3, 'o', '\x1b[31msecond\x1b[0m\r\n'],
  [100.4, 'm', 'there'],
  [100.5, 'o', 'third\r\n'],
);
/** Version 3 of asciicast: times since the last event. */
const version3 = `${JSON.stringify({ version: 3, term: { cols: 40, rows: 6 } })}\n# a comment\n${lines(
  [0.1, 'o', 'first\r\n'],
  [0.1, 'r', '30x5'],
  [0.1, 'o', 'second\r\n'],
  [0.1, 'x', '3'],
)}`;

describe('replay', () => {
  test('reads asciicast of both versions; long idle times are cut', async () => {
    const cli = ownCli();
    const folder = folderWith({ v2: version2, v3: version3, text: 'hello\n' });
    const old = await cli.run('replay', join(folder, 'v2'), '--json', '--idle-limit', '1s');
    expect(old.json).toMatchObject({
      cols: 40,
      rows: 6,
      duration_ms: 1500,
      marks: [
        { at_ms: 200, label: 'here' },
        { at_ms: 1400, label: 'there' },
      ],
    });
    const recent = await cli.run('replay', join(folder, 'v3'), '--json');
    expect(recent.json).toMatchObject({ duration_ms: 400, marks: [], exit_status: 3 });
    expect((await cli.run('replay', join(folder, 'v2'))).stdout).toBe(
      'first\r\n\x1b[31msecond\x1b[0m\r\nthird\r\n',
    );
    const wrong = await cli.run('replay', join(folder, 'text'), '--json');
    expect(wrong.code).toBe(1);
    expect(wrong.json.error.code).toBe('NOT_A_RECORDING');
    expect((await cli.run('replay', join(folder, 'v2'), '--speed', '0')).code).toBe(2);
  });

  test('finds the latest recording of a session by its name', async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'w', 'echo', 'once');
    await cli.run('close', 'w');
    await cli.run('open', '--name', 'w', 'echo', 'twice');
    expect((await cli.run('replay', 'w')).stdout).toContain('twice');
    const missing = await cli.run('replay', 'v');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('no session of that name');
    // A file name that is too long, as for a file that this user may not read.
    const { code, json } = await cli.run('replay', 'x'.repeat(300), '--json');
    expect({ code, error: json.error.code }).toEqual({ code: 1, error: 'NOT_A_RECORDING' });
  });

  test('draws a recording as a picture that moves, from its first words on', async () => {
    const cli = ownCli();
    const folder = folderWith({ v2: version2, empty: `${version2.split('\n')[0]}\n` });
    const svg = join(folder, 'v2.svg');
    expect(await cli.run('replay', join(folder, 'v2'), '--svg', svg, '--json')).toMatchObject({
      code: 0,
      json: { file: svg },
    });
    const drawn = readFileSync(svg, 'utf8');
    expect(drawn.match(/>(?:first|second|third)</g)).toEqual(['>first<', '>second<', '>third<']);
    // 2.2 s from the first to the second line, 0.2 s to the third, 6 s to read it.
    expect(drawn).toContain('animation:8.4s');
    expect(drawn).toContain('@keyframes k0{0.000%{visibility:visible}100%{visibility:visible}}');
    const none = await cli.run('replay', join(folder, 'empty'), '--svg', svg, '--json');
    expect(none).toMatchObject({ code: 1, json: { error: { code: 'NOT_A_RECORDING' } } });
  });

  testWith('tmux')(
    'plays in a terminal: pauses, goes to marks, and leaves the last screen',
    { timeout: 60_000 },
    async () => {
      const cli = ownCli();
      // The first mark is at 50 s, so that it is not reached before the keys are pressed.
      const folder = folderWith({
        cast: version2.replace('[0.2,', '[50,').replace('[0.3,', '[50.1,'),
      });
      const person = await personInTmux(cli.env);
      const title = await person.title();
      await person.enter(`repartee replay ${folder}/cast --idle-limit 1h`);
      await person.sees(/^first$/);
      await person.press('Space');
      const titleHas = (word: string) =>
        until(`the title has ${word}`, async () => (await person.title()).includes(word));
      await titleHas('paused');
      // Seeks, since the second line comes after a hundred seconds.
      await person.press(']');
      await titleHas('0:50 of 1:40');
      await person.press(']');
      await person.sees(/^second$/);
      await person.press('[');
      await until(
        'the second line is gone',
        async () => !(await person.window()).includes('second'),
      );
      // In one read: an arrow, which is ignored; ] to the next mark; Space to go on.
      await person.type('\x1b[A] ');
      await person.sees(/^third$/);
      await person.sees(/^\$/);
      expect(await person.modes()).toMatchObject({ alternate: '0', cursor: '1' });
      expect(await person.title()).toBe(title);
      expect(await person.window()).toEqual(expect.arrayContaining(['first', 'second', 'third']));
    },
  );
});
