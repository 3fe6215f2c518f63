import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { descendantPids } from '../../../src/system/process/process-tree.ts';
import { env, isRunning, open, sh } from '../../helpers/open-terminal.ts';
import { folderWith, makeGate } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const sequence = (last: number) =>
  Array.from({ length: last }, (_, at) => `${at + 1}\r\n`).join('');

/** Whether a process sleeps in write(1, …). We recognise the call by its number. */
const isWriting = (pid: number) =>
  readFileSync(`/proc/${pid}/syscall`, 'utf8').startsWith(
    process.arch === 'x64' ? '1 0x1 ' : '64 0x1 ',
  );

describe('reading', () => {
  test('all that a program wrote has arrived when its exit is told, also with many at once', async () => {
    const right = sequence(20_000);
    const runs = Array.from({ length: 24 }, async () => {
      const { pty, text } = await sh('seq 1 20000');
      await pty.exited;
      return text() === right;
    });
    expect(await Promise.all(runs)).toEqual(runs.map(() => true));
  });

  test('a paused consumer makes the program wait, and loses nothing', async () => {
    const { pty, text, see } = await sh('seq 1 200000');
    await see(/1\r\n/);
    pty.pause();
    const before = text().length;
    await until('the program waits for the terminal', () =>
      descendantPids(pty.pid).some(isWriting),
    );
    expect(text().length).toBe(before);
    expect(pty.exit).toBeUndefined();
    pty.resume();
    await pty.exited;
    expect(text() === sequence(200_000)).toBe(true);
  });

  test('a pause across the exit keeps what was not delivered', async () => {
    const { pty, text } = await sh('seq 1 500');
    pty.pause();
    const before = text().length;
    await until('the program has written all', () => !isRunning(pty.pid));
    expect(text().length).toBe(before);
    pty.resume();
    await pty.ended;
    expect(text()).toBe(sequence(500));
  });

  test('pausing and resuming at random points loses nothing', async () => {
    const { pty, text } = await sh('seq 1 50000');
    let isOver = false;
    void pty.ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      pty.pause();
      await delay(Math.random() * 3);
      pty.resume();
      await delay(Math.random() * 3);
    }
    expect(text() === sequence(50_000)).toBe(true);
  });

  test('a chunk is whole during the call, and so is its copy after it', async () => {
    const chunks: Buffer[] = [];
    const { pty } = await sh('seq 1 50000', {
      onOutput: (chunk) => chunks.push(Buffer.from(chunk)),
    });
    await pty.ended;
    expect(Buffer.concat(chunks).toString() === sequence(50_000)).toBe(true);
  });

  test('output of a background job still arrives after the exit of the program', async () => {
    const gate = makeGate();
    const { pty, text } = await sh(`trap '' HUP; (${gate.wait}; echo late) & echo early; exit 3`);
    expect(await pty.exited).toEqual({ code: 3 });
    expect(text()).toBe('early\r\n');
    gate.open();
    await pty.ended;
    expect(text()).toBe('early\r\nlate\r\n');
  });

  test('a background job that never stops writing does not keep the exit from being told', async () => {
    const { pty } = await sh("trap '' HUP; yes & exit 4");
    expect(await pty.exited).toEqual({ code: 4 });
    await pty.close({ graceMs: 0 });
  });
});

test('the terminal is there before its first output', async () => {
  for (let at = 0; at < 50; at++) {
    const { pty } = await sh('echo x', { onOutput: () => pty.resume() });
    await pty.exited;
  }
});

describe('the exit', () => {
  test.each([
    ['exit 0', { code: 0 }],
    ['exit 255', { code: 255 }],
    ['kill -9 $$', { signal: 'SIGKILL' }],
    ['kill -SEGV $$', { signal: 'SIGSEGV' }],
    ['kill -40 $$', { signal: 'SIG40' }],
  ])('of `%s` is told as code or signal', async (command, exit) => {
    const { pty } = await sh(command);
    expect(await pty.exited).toEqual(exit);
    expect(pty.exit).toEqual(exit);
  });

  test('is listened for as long as a program runs, and no longer', async () => {
    const listeners = () => process.listenerCount('SIGCHLD');
    await until('the programs of other tests have ended', () => listeners() === 0);
    const terminals = [await sh('read x'), await sh('read x')];
    for (const { pty } of terminals) {
      expect(listeners()).toBe(1);
      await pty.write('\n');
      await pty.exited;
    }
    expect(listeners()).toBe(0);
  });
});

describe('the program', () => {
  test('has our terminal as its controlling terminal, and as 0, 1 and 2', async () => {
    const { pty, text } = await sh('tty; tty <&1; tty <&2; echo via /dev/tty >/dev/tty');
    await pty.exited;
    expect(text()).toBe(`${`${pty.path}\r\n`.repeat(3)}via /dev/tty\r\n`);
  });

  test('finds the size it was given, and is told when it changes', async () => {
    const { pty, see } = await open(
      'bash',
      ['--norc', '-c', 'stty size; trap "stty size" WINCH; echo on; while :; do read -t 0.1; done'],
      { cols: 101, rows: 33 },
    );
    await see(/33 101\r\non/);
    pty.resize({ cols: 65535, rows: 1 });
    await see(/\n1 65535\r\n/);
  });

  test('ignores and blocks no signal, though Node ignores SIGPIPE', async () => {
    const { pty, text } = await sh("grep -E 'Sig(Ign|Blk)' /proc/self/status");
    await pty.exited;
    expect(text()).toMatch(/^SigBlk:\t0+\r\nSigIgn:\t0+\r\n$/);
  });

  test('inherits no descriptor but its terminal', async () => {
    const { pty, text } = await sh('ls /proc/self/fd | tr "\\n" " "');
    await pty.exited;
    // Descriptor 3 is the folder that ls is listing.
    expect(text()).toBe('0 1 2 3 ');
  });

  test('gets the environment, the folder and the name it was started with', async () => {
    const { pty, text } = await open(
      'bash',
      ['--norc', '-c', 'echo $0 $A $PWD $# "$1"; env | grep -c REPARTEE_SESSION', 'me', 'x  y'],
      { cwd: '/usr', env: { ...env, A: 'é=1', B: undefined } },
    );
    await pty.exited;
    expect(Buffer.from(text(), 'latin1').toString()).toBe('me é=1 /usr 1 x  y\r\n1\r\n');
  });

  test('may be a script without #!, which the shell runs', async () => {
    const { pty, text } = await open('./script', ['a b'], {
      cwd: folderWith({ script: 'echo "ran $1"\n' }),
    });
    expect(await pty.exited).toEqual({ code: 0 });
    expect(text()).toBe('ran a b\r\n');
  });

  test('is looked up in the PATH of its own environment, empty entries being its folder', async () => {
    const folder = folderWith({ greet: '#!/bin/sh\necho found\n' });
    for (const PATH of [`/nowhere:${folder}`, '/nowhere:', '.']) {
      const { pty, text } = await open('greet', [], { cwd: folder, env: { ...env, PATH } });
      await pty.exited;
      expect(text()).toBe('found\r\n');
    }
  });
});

describe('the terminal', () => {
  test('says how it treats typed input', async () => {
    const { pty, see } = await sh(
      'stty -echo; echo one; read x; stty echo -icanon -isig; echo two; read x; stty sane; echo three; read x',
    );
    await see(/one/);
    expect(pty.lineMode).toEqual({
      canonical: true,
      echo: false,
      signals: true,
      translatesEnter: true,
      translatesLineFeed: true,
      timesOutReads: false,
    });
    await pty.write('\r');
    await see(/two/);
    expect(pty.lineMode).toEqual({
      canonical: false,
      echo: true,
      signals: false,
      translatesEnter: true,
      translatesLineFeed: true,
      timesOutReads: false,
    });
    await pty.write('\n');
    await see(/three/);
    expect(pty.lineMode).toEqual({
      canonical: true,
      echo: true,
      signals: true,
      translatesEnter: true,
      translatesLineFeed: true,
      timesOutReads: false,
    });
  });

  test('erases a whole character, not a byte of it', async () => {
    const { pty, see } = await sh('read x; echo "[$x]"');
    await pty.write('aé\u007fb\r');
    await see(/\[ab\]/);
  });

  test('knows the foreground process group', async () => {
    const { pty, see } = await open('bash', ['--norc', '-i']);
    await see(/\$ $/);
    expect(pty.foregroundGroup).toBe(pty.pid);
    await pty.write('sleep 1000\r');
    await until('sleep is in the foreground', () => pty.foregroundGroup !== pty.pid);
    // If the signal comes after the change of groups but before the start of `sleep`, bash gets it.
    await until('bash is back', () => {
      if (pty.foregroundGroup === pty.pid) return true;
      pty.signalForeground('SIGINT');
      return false;
    });
    expect(pty.exit).toBeUndefined();
  });

  test('knows what was typed and not yet read, a lone ^D included', async () => {
    const { pty } = await sh('sleep 1000');
    expect(pty.hasUnreadInput).toBe(false);
    await pty.write('half');
    // In canonical mode half a line cannot be read.
    expect(pty.hasUnreadInput).toBe(false);
    await pty.write('\r');
    await until('the line is there', () => pty.hasUnreadInput);

    const other = await sh('sleep 1000');
    await other.pty.write('\u0004');
    await until('^D is there', () => other.pty.hasUnreadInput);
  });

  test('knows what was written and not yet delivered', async () => {
    const { pty, see } = await sh('read x; echo answer');
    pty.pause();
    await pty.write('\r');
    await until('output waits', () => pty.hasUnreadOutput);
    pty.resume();
    await see(/answer/);
    expect(pty.hasUnreadOutput).toBe(false);
  });
});
