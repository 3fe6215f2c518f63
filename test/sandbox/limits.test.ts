/** Limits of a profile hold, for a user: as root the one that would not is refused. */
import { expect } from 'vitest';
import { NOBODY } from '../helpers/daemon/nobody.ts';
import { openToOthers, testWith } from '../helpers/needs.ts';
import { runWithProfile } from './run-with-profile.ts';

const own = process.getuid!();
const needed = testWith('bwrap', 'python3');
const test = own === 0 ? openToOthers(needed) : needed;

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
  const [forked, held, written] = await runWithProfile(uid, { limits }, [
    forks,
    memory,
    'head -c 5000 /dev/zero > file; stat -c %s file',
  ]);
  expect(Number(/refused after (\d+)/.exec(forked?.output ?? '')?.[1])).toBeLessThan(20);
  expect(held?.output).toBe('refused');
  expect(written?.output).toMatch(/^1000$/m);
});

if (own === 0)
  test('as root a limit on processes is refused, and nothing runs', async () => {
    expect(await runWithProfile(0, { limits: { processes: 20 } }, ['touch made'])).toEqual([
      { error: expect.stringMatching(/^SANDBOX_UNAVAILABLE: /) },
    ]);
  });
