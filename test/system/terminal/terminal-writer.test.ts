import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { testWith } from '../../helpers/needs.ts';
import { open, sh } from '../../helpers/open-terminal.ts';
import { makeGate } from '../../helpers/temporary-folder.ts';

const slowReader = `
import hashlib, os, sys, termios, time, tty
tty.setraw(0)
print("ready", flush=True)
digest, left = hashlib.sha256(), int(sys.argv[1])
while left:
    chunk = os.read(0, min(left, 5000))
    left -= len(chunk)
    digest.update(chunk)
    time.sleep(0.0005)
print(digest.hexdigest(), flush=True)
`;

testWith('python3')('1 MB typed to a program that reads slowly arrives intact', async () => {
  const bytes = Buffer.alloc(1_000_000, 'The quick brown fox. ');
  const { pty, see } = await open('python3', ['-c', slowReader, String(bytes.length)]);
  await see(/ready/);
  const half = bytes.length / 2;
  await Promise.all([pty.write(bytes.subarray(0, half)), pty.write(bytes.subarray(half))]);
  await see(new RegExp(createHash('sha256').update(bytes).digest('hex')));
});

test('a program that never reads stops neither Node nor the others', async () => {
  const stuck = await sh('stty raw; echo ready; sleep 1000');
  await stuck.see(/ready/);
  const never = expect(stuck.pty.write(Buffer.alloc(300_000, 'x'))).rejects.toMatchObject({
    code: 'INPUT_NOT_TAKEN',
    details: { total: 300_000 },
  });
  const other = await sh('read x; echo "got $x"');
  await other.pty.write('this\r');
  await other.see(/got this/);
  await stuck.pty.close({ graceMs: 0 });
  await never;
});

test('a write is refused once the program has ended, and one under way is told how far it got', async () => {
  const gate = makeGate();
  const { pty, see } = await sh(`stty raw; echo ready; ${gate.wait}`);
  await see(/ready/);
  const underWay = pty.write(Buffer.alloc(300_000, 'x'));
  gate.open();
  await expect(underWay).rejects.toMatchObject({ code: 'INPUT_NOT_TAKEN' });
  await expect(pty.write('x')).rejects.toMatchObject({
    code: 'PROGRAM_EXITED',
    details: { attempt: 'written to', ending: 'exit code 0' },
  });
});

test('an empty write is done at once', async () => {
  const { pty } = await sh('sleep 1000');
  await pty.write('');
});
