import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { O_RDWR } from '../../../src/system/constants.ts';
import { libc } from '../../../src/system/libc.ts';
import { onProcessExit } from '../../../src/system/process/reaper.ts';
import { spawnProgram } from '../../../src/system/process/spawn.ts';
import { openPipes } from '../../../src/system/terminal/pipes.ts';
import { openPty } from '../../../src/system/terminal/pty.ts';
import { env, open, openDescriptors, sh } from '../../helpers/open-terminal.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const good = { program: 'true', args: [], cwd: '/', env, cols: 80, rows: 24, onOutput: () => {} };

const folder = (): string => {
  const path = folderWith({ file: '', 'bad-interpreter': '#!/no/such/thing -x\n' });
  writeFileSync(join(path, 'not-executable'), '#!/bin/sh\n', { mode: 0o644 });
  writeFileSync(join(path, 'windows'), '#!/bin/sh\r\n', { mode: 0o755 });
  execFileSync('mkfifo', ['-m', '755', join(path, 'fifo')]);
  mkdirSync(join(path, 'sub'));
  return path;
};

const refusals: [what: string, request: (folder: string) => object, code: string, says: RegExp][] =
  [
    [
      'a program that is not in the PATH',
      () => ({ program: 'no-such-program' }),
      'PROGRAM_NOT_FOUND',
      /no program "no-such-program" in \/usr\/bin:/,
    ],
    [
      'a path where nothing is',
      () => ({ program: './nothing' }),
      'PROGRAM_NOT_FOUND',
      /no program ".\/nothing"\./,
    ],
    ['an empty program name', () => ({ program: '' }), 'UNUSABLE_ARGUMENT', /it is empty/],
    [
      'a folder as program',
      (cwd) => ({ cwd, program: './sub' }),
      'PROGRAM_NOT_EXECUTABLE',
      /it is a folder/,
    ],
    [
      'a file without permission',
      (cwd) => ({ cwd, program: './not-executable' }),
      'PROGRAM_NOT_EXECUTABLE',
      /chmod \+x/,
    ],
    [
      'such a file found in the PATH',
      (cwd) => ({ program: 'not-executable', env: { PATH: cwd } }),
      'PROGRAM_NOT_EXECUTABLE',
      /chmod \+x/,
    ],
    [
      'a script whose interpreter is missing',
      (cwd) => ({ cwd, program: './bad-interpreter' }),
      'INTERPRETER_NOT_FOUND',
      /needs "\/no\/such\/thing"/,
    ],
    [
      'a script with Windows line ends',
      (cwd) => ({ cwd, program: './windows' }),
      'INTERPRETER_NOT_FOUND',
      /"\/bin\/sh\\r".*Windows line ends/,
    ],
    [
      'a named pipe as program',
      (cwd) => ({ cwd, program: './fifo' }),
      'PROGRAM_NOT_EXECUTABLE',
      /no file/,
    ],
    ['a missing cwd', (cwd) => ({ cwd: `${cwd}/gone` }), 'CWD_NOT_FOUND', /no folder/],
    [
      'a cwd that is a file',
      (cwd) => ({ cwd: `${cwd}/file` }),
      'CWD_NOT_FOLDER',
      /is not a folder/,
    ],
    [
      'a NUL byte in an argument',
      () => ({ args: ['a', 'b\0c'] }),
      'UNUSABLE_ARGUMENT',
      /Argument 2 .*NUL/,
    ],
    ['a NUL byte in a variable', () => ({ env: { A: 'b\0c' } }), 'UNUSABLE_ARGUMENT', /"A" .*NUL/],
    [
      'a NUL byte in the program',
      () => ({ program: 'tr\0ue' }),
      'UNUSABLE_ARGUMENT',
      /program name .*NUL/,
    ],
    ['a NUL byte in the cwd', () => ({ cwd: '/\0' }), 'UNUSABLE_ARGUMENT', /cwd .*NUL/],
    ['a variable name with "="', () => ({ env: { 'A=B': 'c' } }), 'UNUSABLE_ARGUMENT', /"A=B"/],
    [
      'a variable that is too large',
      () => ({ env: { ...env, BIG: 'x'.repeat(200_000) } }),
      'ARGUMENTS_TOO_LARGE',
      /BIG with 200004 bytes/,
    ],
    [
      'an argument that is too large',
      () => ({ args: ['x'.repeat(200_000)] }),
      'ARGUMENTS_TOO_LARGE',
      /argument 1 with 200000/,
    ],
  ];

const sizes: [cols: number, rows: number][] = [
  [0, 24],
  [80, 0],
  [-1, 24],
  [80, 1.5],
  [Number.NaN, 24],
  [80, Number.POSITIVE_INFINITY],
  [65536, 24],
];

describe('what cannot be started', () => {
  test.each(refusals)('%s is refused by name', async (_what, request, code, says) => {
    const attempt = openPty({ ...good, ...request(folder()) });
    await expect(attempt).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
  });

  test.each(refusals)('%s leaves no descriptor behind', async (_what, request) => {
    const options = { ...good, ...request(folder()) };
    const before = openDescriptors();
    await Promise.allSettled([openPty(options), openPipes({ ...options, input: 'pipe' })]);
    expect(openDescriptors()).toBe(before);
  });

  test.each(sizes)('a terminal of %d by %d is refused', async (cols, rows) => {
    await expect(openPty({ ...good, cols, rows })).rejects.toMatchObject({ code: 'INVALID_SIZE' });
  });

  test('a cwd that may not be entered is refused, except to root', async () => {
    const cwd = join(folder(), 'sub');
    chmodSync(cwd, 0o600);
    const attempt = openPty({ ...good, cwd });
    if (process.getuid?.() === 0) await (await attempt).close();
    else await expect(attempt).rejects.toMatchObject({ code: 'CWD_NOT_PERMITTED' });
  });
});

test('a program that has ended can be neither resized nor signalled, and has nothing to say', async () => {
  const { pty } = await sh('exit 3');
  await pty.exited;
  const exited = expect.objectContaining({ code: 'PROGRAM_EXITED' });
  expect(() => pty.resize({ cols: 80, rows: 24 })).toThrow(exited);
  expect(() => pty.signalForeground('SIGINT')).toThrow(exited);
  expect(pty.lineMode).toBeUndefined();
  await expect(pty.signalSession('SIGINT')).rejects.toEqual(exited);
  expect(pty.foregroundGroup).toBeUndefined();
  expect(pty.hasUnreadInput).toBe(false);
});

test('an interpreter may be named from the folder the program starts in', async () => {
  const cwd = folderWith({ mine: '#!./shell\n' });
  symlinkSync('/bin/echo', join(cwd, 'shell'));
  const { pty, text } = await open('./mine', ['said'], { cwd });
  await pty.exited;
  expect(text()).toBe(`${cwd}/mine said\r\n`);
});

test('what is no text and no bytes cannot be written', async () => {
  const { pty } = await sh('sleep 1000');
  for (const nonsense of [42, undefined, new ArrayBuffer(4), Uint16Array.of(65)]) {
    await expect(pty.write(nonsense as never)).rejects.toThrow(TypeError);
  }
  await expect(openPty({ ...good, onOutput: undefined as never })).rejects.toThrow(TypeError);
});

test('an unknown signal and a bad size are refused, and the program goes on', async () => {
  const { pty } = await sh('sleep 1000');
  expect(() => pty.signalForeground('SIGNOPE')).toThrow(
    expect.objectContaining({ code: 'UNKNOWN_SIGNAL' }),
  );
  await expect(pty.signalSession('7')).rejects.toMatchObject({ code: 'UNKNOWN_SIGNAL' });
  for (const [cols, rows] of sizes) {
    expect(() => pty.resize({ cols, rows })).toThrow(
      expect.objectContaining({ code: 'INVALID_SIZE' }),
    );
  }
  expect(pty.exit).toBeUndefined();
});

describe('where libc lacks', () => {
  /** Runs a shell command with a libc that lacks some functions, and returns its output. */
  const runWithout = async (
    missingFunctions: object,
    command: string,
    cwd: string,
  ): Promise<string> => {
    const file = join(folderWith(), 'output');
    writeFileSync(file, '');
    const pid = await spawnProgram(
      { program: 'bash', args: ['-c', command], cwd, env },
      (table, actions) => {
        table.actions_addopen(actions, 0, '/dev/null', O_RDWR, 0);
        table.actions_addopen(actions, 1, file, O_RDWR, 0);
        table.actions_adddup2(actions, 1, 2);
      },
      { ...libc(), ...missingFunctions },
    );
    await new Promise((resolve) => onProcessExit(pid, resolve));
    return readFileSync(file, 'utf8');
  };

  test('addchdir_np, a shell changes the folder', async () => {
    const cwd = join(folderWith({}), 'a "b" $c');
    mkdirSync(cwd);
    expect(await runWithout({ actions_addchdir: undefined }, 'pwd', cwd)).toBe(`${cwd}\n`);
  });

  test('addclosefrom_np, inheritable descriptors are closed one by one', async () => {
    const { fcntl } = libc();
    const F_DUPFD = 0;
    const inheritable = fcntl(0, F_DUPFD, 20);
    onTestFinished(() => closeSync(inheritable));
    expect(inheritable).toBeGreaterThanOrEqual(20);
    const fds = await runWithout({ actions_addclosefrom: undefined }, 'echo /proc/self/fd/*', '/');
    expect(fds).not.toContain(`/${inheritable}`);
  });
});

test('when memory runs out, the kernel takes a program before us', async () => {
  const { pty, see, text } = await sh('read x; cat /proc/self/oom_score_adj');
  await pty.write('go\n');
  await see(/go\r\n\d+\r\n/);
  const own = Number(readFileSync('/proc/self/oom_score_adj', 'latin1'));
  expect(Number(/(\d+)\r\n$/.exec(text())?.[1])).toBeGreaterThan(own);
});
