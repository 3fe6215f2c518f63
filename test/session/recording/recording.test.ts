import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../../conversations/scenes/run.ts';
import { Screen } from '../../../src/screen/screen.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import type { SessionsOptions } from '../../../src/session/options/options.ts';
import {
  type CastEvent,
  readEvents,
  readHeader,
} from '../../../src/session/recording/asciicast.ts';
import type { SessionEvent } from '../../../src/session/sessions.ts';
import { asRoot, testWith } from '../../helpers/needs.ts';
import { folderWith, makeGate } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const begin = (options: SessionsOptions) => {
  const sessions = new LocalSessions(options);
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const events: SessionEvent[] = [];
  sessions.subscribe((event) => events.push(event));
  return { sessions, events };
};

const eventsIn = async (path: string): Promise<CastEvent[]> => {
  const events: CastEvent[] = [];
  for await (const event of readEvents(path)) events.push(event);
  return events;
};

const castsIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

test('nothing is recorded unless it is asked for', async () => {
  const folder = folderWith();
  const { sessions } = begin({ recordings: { folder } });
  await sessions.open({ command: 'echo hi' });
  expect(castsIn(folder)).toEqual([]);
  await sessions.open({ command: 'echo hi', record: true });
  expect(castsIn(folder)).toHaveLength(1);

  const always = begin({ recordings: { folder: folderWith(), always: true } });
  await always.sessions.open({ command: ['cat'] });
  expect(await always.sessions.list()).toMatchObject([{ recording: expect.any(String) }]);
  await always.sessions.open({ command: ['cat'], record: false, name: 'off' });
  expect((await always.sessions.list())[1]).not.toHaveProperty('recording');
});

test('output, input with its actor, sizes and the exit are written as they happen', async () => {
  const folder = join(folderWith(), 'deep', 'recordings');
  const { sessions } = begin({ recordings: { folder } });
  await sessions.open({ command: ['cat'], cols: 60, rows: 10, record: true });
  await sessions.send('cat', { text: 'Grüße' });
  await sessions.send('cat', { text: 'again', submit: false, until: 'now' });
  await sessions.send('cat', { text: 'hers' }, { actor: 'Ada' });
  await sessions.resize('cat', 70, 20);
  const path = sessions.recordingOf('cat')!;
  // Before anything is closed.
  const early = await eventsIn(path);
  await sessions.send('cat', { keys: 'C-d' });
  const events = await eventsIn(path);

  expect(await readHeader(path)).toMatchObject({
    cols: 60,
    rows: 10,
    term: 'xterm-256color',
    command: 'cat',
    title: 'cat',
    timestamp: expect.any(Number),
  });
  expect(events.slice(0, early.length)).toEqual(early);
  const typed = early.filter(({ code }) => code === 'i');
  expect(typed.map(({ data, actor }) => [data, actor])).toEqual([
    ['Grüße\r', 'agent'],
    ['again', 'agent'],
    ['hers\r', 'Ada'],
  ]);
  const shown = early.filter(({ code }) => code === 'o').map(({ data }) => data);
  expect(shown.join('')).toBe('Grüße\r\nGrüße\r\nagainhers\r\nagainhers\r\n');
  expect(early.at(-1)).toMatchObject({ code: 'r', data: '70x20' });
  expect(events.at(-1)).toMatchObject({ code: 'x', data: '0' });
  const times = events.map(({ atMs }) => atMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));

  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.each([
  ['SIGTERM', '143'],
  ['SIG40', '168'],
])('a program that was killed by %s has the status that shells give it', async (signal, data) => {
  const { sessions } = begin({ recordings: { folder: folderWith() } });
  await sessions.open({ command: ['cat'], record: true });
  const path = sessions.recordingOf('cat')!;
  await sessions.signal('cat', signal);
  await sessions.wait({ until: 'exit' });
  expect((await eventsIn(path)).at(-1)).toMatchObject({ code: 'x', data });
});

test('the marks of a shell become markers', async () => {
  const { sessions } = begin({ recordings: { folder: folderWith() } });
  const marks = String.raw`\e]133;A\a$ \e]133;B\atrue\n\e]133;C\a\e]133;D;7\a\e]133;A\a`;
  await sessions.open({ command: `printf '${marks}'`, name: 'marks', record: true });
  const events = await eventsIn(sessions.recordingOf('marks')!);
  const markers = events.filter(({ code }) => code === 'm').map(({ data }) => data);
  expect(markers).toEqual(['command', 'exit 7']);
});

test('input that a terminal does not echo is not recorded, nor how long it was; that of a line editor is', async () => {
  const { sessions } = begin({ recordings: { folder: folderWith() } });
  await sessions.open({
    command: ['bash', '--norc', '-c', 'read -ep "Name: " n; read -sp "Word: " w; echo; read x'],
    record: true,
  });
  await sessions.send('bash', { text: 'Ada Lovelace' });
  await sessions.send('bash', { text: 'sesame-open' });
  const path = sessions.recordingOf('bash')!;
  const events = await eventsIn(path);
  const typed = events.flatMap(({ code, data }) =>
    code === 'i' ? data : code === 'hidden' ? '<hidden>' : [],
  );
  expect(typed.join('')).toBe('Ada Lovelace\r<hidden>');
  expect(readFileSync(path, 'utf8')).not.toContain('sesame');
});

test('bytes that are no text, and characters cut in two, are recorded as a screen shows them', async () => {
  const { sessions } = begin({ recordings: { folder: folderWith() } });
  const script = `
import os, time
for piece in [b"a\\xe2", b"\\x86", b"\\x92b \\xff\\xfe ", b"\\xf0\\x9f\\x98", b"\\x80 \\xe2\\x80\\xa8|"]:
    os.write(1, piece); time.sleep(0.03)
`;
  await sessions.open({ command: ['python3', '-c', script], record: true });
  const events = await eventsIn(sessions.recordingOf('python3')!);
  const shown = events.filter(({ code }) => code === 'o').map(({ data }) => data);
  expect(shown.join('')).toBe('a→b \ufffd\ufffd 😀 \u2028|');
});

test('a large recording goes on in another file, which can be played alone; the oldest goes', async () => {
  const folder = folderWith();
  const { sessions } = begin({ recordings: { folder, maxBytes: 50_000, maxFiles: 3 } });
  const script =
    'for i in $(seq 9000); do printf "\\e[3%dmline %d →\\e[0m\\r\\n" $((i % 8)) $i; done';
  await sessions.open({
    command: ['bash', '-c', `${script}; cat`],
    record: true,
    cols: 40,
    rows: 10,
  });
  await sessions.send('bash', { text: 'the end' });
  const live = await sessions.read('bash', { view: 'screen' });

  const casts = castsIn(folder).sort((a, b) => numberOf(a) - numberOf(b));
  expect(casts).toHaveLength(3);
  expect(numberOf(casts[0]!)).toBeGreaterThan(1);
  for (const path of casts) expect(statSync(path).size).toBeLessThan(50_000 + 2 * 65_536);
  // Where one ends the next begins, and each alone leads to the same screen.
  for (const [at, path] of casts.entries()) {
    const { screen, first } = await replay(path);
    const next = casts[at + 1];
    if (next !== undefined) expect((await replay(next)).first).toEqual(rowsOf(screen));
    else expect(rowsOf(screen).join('\n').trimEnd()).toBe(live.output);
    if (at > 0) expect(first.join('')).toContain('line');
  }
});

test('the next file of a very large screen begins empty, so that no other session waits', async () => {
  const folder = folderWith();
  const { sessions } = begin({ recordings: { folder, maxBytes: 10_000, maxFiles: 9 } });
  const script = "import sys; sys.stdout.write('x' * 30000); sys.stdout.flush(); input()";
  const large = { cols: 500, rows: 500, record: true };
  await sessions.open({ command: ['python3', '-c', script], ...large });
  const casts = castsIn(folder);
  expect(casts.length).toBeGreaterThan(2);
  for (const path of casts) {
    const events = await eventsIn(path);
    expect(events[0]?.data ?? 'x').toMatch(/^x+$/);
  }
});

test('a recording goes on though an old file of it was removed', async () => {
  const folder = folderWith();
  const { sessions, events } = begin({ recordings: { folder, maxBytes: 1000, maxFiles: 1 } });
  await sessions.open({ command: ['cat'], record: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (let at = 0; at < 4; at++) await sessions.send('cat', { text: 'x'.repeat(1000) });
  expect(events.filter(({ type }) => type === 'trouble')).toEqual([]);
  expect(castsIn(folder)).toEqual([sessions.recordingOf('cat')]);
});

const numberOf = (path: string) => Number(/\.(\d+)\.cast$/.exec(path)![1]);

const replay = async (path: string) => {
  const { cols, rows } = await readHeader(path);
  const screen = new Screen({ cols, rows });
  onTestFinished(() => screen.dispose());
  let first: string[] | undefined;
  for (const { code, data } of await eventsIn(path)) {
    if (code !== 'o') continue;
    screen.write(Buffer.from(data));
    first ??= rowsOf(screen);
  }
  return { screen, first: first ?? [] };
};

const rowsOf = (screen: Screen) =>
  Array.from({ length: screen.modes.rows }, (_, row) => screen.grid.rowText(row));

testWith('vim')(
  'a recording of vim, played on a new screen, is the live screen at every moment',
  async () => {
    const folder = folderWith({ 'poem.c': 'int main() { return 0; } // →\n'.repeat(60) });
    const { sessions } = begin({ recordings: { folder: join(folder, 'casts') } });
    const vim = ['vim', '-u', 'NONE', '-i', 'NONE', '-c', 'syntax on', '-c', 'set nu', 'poem.c'];
    await sessions.open({ command: vim, cwd: folder, cols: 80, rows: 20, record: true });
    const moments: (SessionEvent & { type: 'screen' })[] = [];
    const takeMoment = () =>
      sessions.subscribe((event) => {
        if (event.type === 'screen') moments.push(event);
      }, 'vim')();

    const steps: (() => Promise<unknown>)[] = [
      () => sessions.send('vim', { keys: 'G' }),
      () => sessions.send('vim', { keys: 'o' }),
      () => sessions.send('vim', { text: 'char *naïve = "日本語 ☕";', submit: false }),
      () => sessions.send('vim', { keys: 'Escape' }),
      () => sessions.send('vim', { text: ':%s/return/RETURN/', submit: true }),
      () => sessions.resize('vim', 100, 30).then(() => sessions.wait()),
      () => sessions.send('vim', { text: ':split' }),
      () => sessions.send('vim', { keys: 'C-w j g g' }),
      () => sessions.resize('vim', 61, 17).then(() => sessions.wait()),
      () => sessions.send('vim', { text: '/main' }),
      () => sessions.send('vim', { text: ':set nonu' }),
      () => sessions.send('vim', { text: ':qa!' }),
    ];
    for (const step of steps) {
      await step();
      takeMoment();
    }
    expect(moments).toHaveLength(12);
    expect(new Set(moments.map(({ dump }) => dump)).size).toBeGreaterThan(10);

    const path = sessions.recordingOf('vim')!;
    const { cols, rows } = await readHeader(path);
    const screen = new Screen({ cols, rows });
    onTestFinished(() => screen.dispose());
    let compared = 0;
    const compare = () => {
      const moment = moments[compared];
      const { modes, position } = screen;
      if (moment?.position !== position || moment.cols !== modes.cols) return;
      expect(screen.dump()).toBe(moment.dump);
      compared++;
    };
    for (const { code, data } of await eventsIn(path)) {
      if (code === 'o') screen.write(Buffer.from(data));
      if (code === 'r') screen.resize(...(data.split('x').map(Number) as [number, number]));
      compare();
    }
    expect(compared).toBe(moments.length);
  },
);

test('a folder that cannot be written to is reported once, and the session goes on', async () => {
  // A file where the folder should be stops root as well.
  const folder = join(folderWith({ file: '' }), 'file');
  const { sessions, events } = begin({ recordings: { folder } });
  await sessions.open({ command: ['cat'], record: true });
  expect((await sessions.send('cat', { text: 'still here' })).output).toBe('still here');
  const troubles = events.filter(({ type }) => type === 'trouble');
  expect(troubles).toEqual([
    { session: 'cat', type: 'trouble', message: expect.stringMatching(/goes on.*no folder/) },
  ]);
  expect(sessions.recordingOf('cat')).toBe(undefined);
});

asRoot(testWith('mount'))(
  'a full disk is reported once, the session goes on, and what was recorded can be played',
  async () => {
    const folder = folderWith();
    await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
    onTestFinished(async () => void (await run('umount', ['-l', folder])));
    const { sessions, events } = begin({ recordings: { folder } });
    await sessions.open({ command: ['bash', '-c', 'seq 20000; cat'], record: true });
    const path = castsIn(folder)[0]!;
    expect((await sessions.send('bash', { text: 'still here' })).output).toContain('still here');
    await sessions.send('bash', { text: 'and here' });
    const troubles = events.filter(({ type }) => type === 'trouble');
    expect(troubles).toEqual([
      { session: 'bash', type: 'trouble', message: expect.stringMatching(/goes on.*no room/) },
    ]);
    const recorded = await eventsIn(path);
    expect(recorded.map(({ data }) => data).join('')).toMatch(/^1\r\n2\r\n3\r\n/);
    expect(readFileSync(path, 'utf8')).toMatch(/\n$/);
  },
);

test('a recording whose writer is killed in the middle of it is whole up to that moment', async () => {
  const folder = folderWith();
  const recorder = spawn(process.execPath, [
    join(import.meta.dirname, '../../fixtures/recorder.js'),
    folder,
  ]);
  onTestFinished(() => void recorder.kill('SIGKILL'));
  const cast = () => castsIn(folder)[0];
  await until('some of it', () => (cast() ? statSync(cast()!).size : 0) > 50_000);
  recorder.kill('SIGKILL');
  await once(recorder, 'exit');
  const lines = (await eventsIn(cast()!))
    .map(({ data }) => data)
    .join('')
    .split('\r\n');
  expect(lines.length).toBeGreaterThan(1000);
  expect(lines.slice(0, -1)).toEqual(lines.slice(0, -1).map((_, at) => `line ${at + 1}`));
  // Players split lines, skip comments and parse the rest.
  const written = readFileSync(cast()!, 'utf8').trimEnd().split('\n');
  for (const line of written.filter((each) => !each.startsWith('#'))) JSON.parse(line);
});

test('a recording that was cut off is read up to its last whole event', async () => {
  const path = join(folderWith(), 'a.cast');
  const header = '{"version":3,"term":{"cols":80,"rows":24}}\n';
  writeFileSync(path, `${header}[0.1,"o","a"]\n# a comment\n[0.2,"o","b"]\n[0.3,"o","\\u00`);
  expect(await eventsIn(path)).toEqual([
    { atMs: 100, code: 'o', data: 'a' },
    { atMs: expect.closeTo(300), code: 'o', data: 'b' },
  ]);
  appendFileSync(path, '\n[0.4,"o","c"]\n');
  await expect(eventsIn(path)).rejects.toMatchObject({
    code: 'NOT_A_RECORDING',
    details: { path, reason: 'line 5 is no event' },
  });
});

test('recordings of version 2 can be read, with their times', async () => {
  const path = join(folderWith(), 'a.cast');
  const header = '{"version": 2, "width": 80, "height": 24, "env": {"TERM": "vt100"}}';
  writeFileSync(path, `${header}\n[0.5, "o", "a"]\n[1.5, "o", "b"]\n`);
  expect(await readHeader(path)).toEqual({ cols: 80, rows: 24, term: 'vt100' });
  expect((await eventsIn(path)).map(({ atMs }) => atMs)).toEqual([500, 1500]);
});

test.each([
  ['', 'it is empty'],
  ['hello\n', 'its first line is no header'],
  ['{"version": 1, "width": 80}\n', 'it is of version 1'],
  ['{"version": 3}\n', 'its header has no size'],
])('a file that is no recording is refused: %j', async (text, reason) => {
  const path = join(folderWith(), 'a.cast');
  writeFileSync(path, text);
  await expect(readHeader(path)).rejects.toMatchObject({
    code: 'NOT_A_RECORDING',
    details: { reason },
  });
});

test('what a background job prints after the exit is recorded as well', async () => {
  const { sessions } = begin({ recordings: { folder: folderWith() } });
  // When the session leader exits, the kernel sends SIGHUP to jobs on our terminal.
  const gate = makeGate();
  const command = `trap "" HUP; (${gate.wait}; echo "la"te) & exit 5`;
  await sessions.open({ command, name: 'job', record: true });
  gate.open();
  const path = sessions.recordingOf('job')!;
  await until('it is late', () => readFileSync(path, 'utf8').includes('late'));
  expect((await eventsIn(path)).map(({ code, data }) => [code, data])).toEqual([
    ['x', '5'],
    ['o', 'late\r\n'],
  ]);
});
