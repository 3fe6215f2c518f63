/** Limits of a profile hold, for a user: as root the one that would not is refused. */
import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { NOBODY } from '../helpers/daemon/nobody.ts';
import { openToOthers, testWith } from '../helpers/needs.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const RUNNER = join(import.meta.dirname, 'run-in-sandbox.js');
const own = process.getuid!();
const needed = testWith('bwrap', 'python3');
const test = own === 0 ? openToOthers(needed) : needed;

const runAs = async (uid: number, limits: object, commands: readonly string[]) => {
  const home = folderWith();
  const profiles = join(home, '.config/repartee/sandbox');
  const workspace = join(home, 'work');
  for (const folder of [profiles, workspace]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(profiles, 'own.json'), JSON.stringify({ limits }));
  if (own === 0) for (const path of [home, workspace]) chownSync(path, uid, uid);
  const child = spawn(process.execPath, [RUNNER], {
    ...(own === 0 && { uid, gid: uid }),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', HOME: home, SHELL: '/bin/bash' },
  });
  child.stdin.end(JSON.stringify({ profile: 'own', workspace, commands }));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (output === '') throw new Error(errors);
  return JSON.parse(output);
};

/** At most 200 processes that end by themselves after 5 seconds. */
const forks = `/usr/bin/python3 -c '
import os, time
made = 0
try:
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(5); os._exit(0)
        made += 1
except BlockingIOError:
    print("refused after", made)
'`;

const memory = `/usr/bin/python3 -c '
try:
    held = bytearray(512 * 2**20)
    print("held")
except MemoryError:
    print("refused")
'`;

test('processes, memory and the size of a file are limited', async () => {
  const limits = { processes: 20, memoryBytes: 128 * 2 ** 20, fileBytes: 1000 };
  const uid = own === 0 ? NOBODY : own;
  const [forked, held, written] = await runAs(uid, limits, [
    forks,
    memory,
    'head -c 5000 /dev/zero > file; stat -c %s file',
  ]);
  expect(Number(/refused after (\d+)/.exec(forked.output)?.[1])).toBeLessThan(20);
  expect(held.output).toBe('refused');
  expect(written.output).toMatch(/^1000$/m);
});

if (own === 0)
  test('as root a limit on processes is refused, and nothing runs', async () => {
    expect(await runAs(0, { processes: 20 }, ['touch made'])).toEqual([
      { error: 'SANDBOX_UNAVAILABLE' },
    ]);
  });
