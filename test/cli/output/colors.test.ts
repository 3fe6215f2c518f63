import { writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { textColorsFor } from '../../../src/cli/output/colors.ts';
import { formatDuration, formatRoughDuration } from '../../../src/cli/output/durations.ts';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { personInTmux } from '../../helpers/cli/tmux.ts';
import { testWith } from '../../helpers/needs.ts';
import { until } from '../../helpers/until.ts';

const stream = (isTTY: boolean) => ({ isTTY }) as NodeJS.WriteStream;

test.each([
  ['a terminal', true, { NO_COLOR: '', TERM: 'xterm' }, '\x1b[31mx\x1b[39m'],
  ['a pipe', false, { NO_COLOR: '', TERM: 'xterm' }, 'x'],
  ['a terminal with NO_COLOR', true, { NO_COLOR: '1', TERM: 'xterm' }, 'x'],
  ['a dumb terminal', true, { NO_COLOR: '', TERM: 'dumb' }, 'x'],
])('%s gets the colours it can show', (_name, isTTY, env, painted) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(textColorsFor(stream(isTTY)).red('x')).toBe(painted);
  vi.unstubAllEnvs();
});

test.each([
  [12.4, '12 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [9900, '9.9 s'],
  [10_000, '10 s'],
  [119_000, '119 s'],
  [120_000, '2 min'],
  [7_200_000, '2 h'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('a rough time has no fractions of a second', () => {
  expect(formatRoughDuration(1400)).toBe('1 s');
});

testWith('tmux')(
  'while a command waits, a person sees how long, and the line disappears at the end',
  {
    timeout: 60_000,
  },
  async () => {
    const { env } = ownCli();
    const person = await personInTmux(env);
    await person.enter('repartee run -- "while [ ! -e $XDG_RUNTIME_DIR/go ]; do sleep 0.1; done"');
    await person.sees(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] .+, \d+(\.\d)? m?s/);
    // It is one line, drawn again and again.
    expect((await person.window()).filter((line) => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(line))).toHaveLength(1);
    writeFileSync(`${env.XDG_RUNTIME_DIR}/go`, '');
    await until('the line is gone', async () =>
      (await person.window()).every((line) => !/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(line)),
    );
  },
);
