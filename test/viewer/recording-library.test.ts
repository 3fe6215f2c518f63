import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseCast } from '../../src/viewer/page/recordings/cast.ts';
import { RecordingLibrary } from '../../src/viewer/recording-library.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const header = (cols: number) =>
  JSON.stringify({ version: 3, term: { cols, rows: 24 }, command: 'bash', title: 'build' });
const name = 'build.20261115T051822123.77';

const lines = (...all: string[]) => `${all.join('\n')}\n`;
const part1 = lines(
  header(80),
  '[0.1,"o","\\u001b[1mmaking\\u001b[0m all\\r\\n"]',
  '# {"actor":"ann"}',
  '[0.1,"i","make "]',
  '[0.1,"i","test\\r"]',
  '[0.01,"m","command"]',
  '[1.5,"o","4 errors\\r\\n"]',
  '[0,"m","exit 2"]',
);
const part2 = `${lines(header(100), '[1,"o","more"]')}[0.5,"o","cut of`;

const libraryWith = (files: Readonly<Record<string, string>>) =>
  new RecordingLibrary(folderWith(files));

const textOf = async (library: RecordingLibrary) => {
  let text = '';
  for await (const line of (await library.open(name))!.lines) text += line;
  return text;
};

test('parts of a recording are one asciicast, without what was cut off at its end', async () => {
  const library = libraryWith({ [`${name}.1.cast`]: part1, [`${name}.2.cast`]: part2 });
  const text = await textOf(library);
  const cast = parseCast(text);
  expect(cast).toMatchObject({ cols: 80, rows: 24, title: 'build' });
  expect(cast.trouble).toBeUndefined();
  expect(cast.events.map(({ code, data }) => (code === 'r' || code === 'm' ? data : code))).toEqual(
    ['o', 'i', 'i', 'command', 'o', 'exit 2', '100x24', 'o'],
  );
  expect(cast.durationMs).toBeCloseTo(2810);
});

test('recordings are listed, found by what they show, and say if they cannot be played', async () => {
  const library = libraryWith({
    [`${name}.1.cast`]: part1,
    'other.20261116T000000000.1.1.cast': 'no recording',
    'notes.txt': 'making all',
  });
  const listed = await library.list([join('/anywhere', `${name}.1.cast`)]);
  expect(listed).toMatchObject([
    { session: 'other', trouble: expect.stringContaining('no header') },
    { session: 'build', command: 'bash', isOpen: true, startedAt: 1_794_719_902_123 },
  ]);
  expect(await library.list([], 'MAKING all')).toMatchObject([{ name, found: 'making all' }]);
  expect(await library.list([], 'nowhere')).toEqual([]);
});

test('a timeline is read from a recording: who typed what, and how commands ended', async () => {
  const library = libraryWith({ [`${name}.1.cast`]: part1 });
  const start = 1_794_719_902_123;
  const all = await library.entriesOf(name);
  expect(all).toMatchObject([
    { kind: 'input', actor: 'ann', text: 'make test⏎', at: start + 200 },
    { kind: 'command', text: 'make test', exitCode: 2, tookMs: 1500, isOver: true },
  ]);
  expect(await library.entriesOf(name, start + 150)).toEqual([]);
});

test('a name is no path', async () => {
  const library = libraryWith({ [`${name}.1.cast`]: part1 });
  for (const other of ['', '..', `../x/${name}`, '/etc/passwd', `${name}.1.cast`])
    expect(await library.open(other)).toBeUndefined();
});

test('a cast of another program is played as far as it can be read', () => {
  const text = lines(
    '{"version": 2, "width": 80, "height": 24}',
    '[1, "o", "one"]',
    'damaged',
    '[2, "o", "two"]',
  );
  expect(parseCast(text)).toMatchObject({
    durationMs: 2000,
    trouble: expect.stringContaining('1 lines'),
  });
  for (const none of ['', 'text', '{"version": 1}', '[]'])
    expect(() => parseCast(none)).toThrow('This is no recording');
});
