/**
 * What does an agent pay to read what a program said?
 *
 * Over the recordings of test/streams: the text view against the raw output, and against what a
 * regular expression that strips escape codes leaves. `read often` is what a reader gets in all who
 * looks after every kilobyte, and so sees lines before they are final. A full-screen program says
 * nothing in lines; what an agent reads of it is its screen.
 */
import { join } from 'node:path';
import { Screen } from '../src/screen/screen.ts';
import { makeScreenView } from '../src/views/screen.ts';
import { joinViewLines, TextViewReader } from '../src/views/text.ts';
import { readStreams, type Stream } from '../test/streams/stream.ts';
import type { Report } from './report/report.ts';

const folder = join(process.cwd(), 'test/streams');

/** What peers do: the pattern of the package ansi-regex. */
const ansi =
  /[\u001B\u009B][[\]()#;?]*(?:(?:(?:(?:;[-a-zA-Z\d/#&.:=?%@~_]+)*|[a-zA-Z\d]+(?:;[-a-zA-Z\d/#&.:=?%@~_]*)*)?\u0007)|(?:(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]))/g;

const progress = [
  'npm-install',
  'pip-download',
  'tqdm',
  'rich',
  'curl',
  'curl-bar',
  'wget',
  'rsync',
];
progress.push('docker-style', 'spinner');
const fullScreen = [
  'vim',
  'vim-resized',
  'less',
  'man',
  'htop',
  'top',
  'nano',
  'mc',
  'fzf',
  'whiptail',
];
fullScreen.push('tig', 'w3m', 'tmux');
/** These draw among the lines, and what they drew stays there: it is part of what was said. */
const inPlace = ['dialog', 'fzf-inline'];

const kindOf = (name: string): string => {
  if (progress.includes(name)) return 'progress';
  if (fullScreen.includes(name)) return 'full screen';
  return inPlace.includes(name) ? 'in place' : 'lines';
};

const tokens = (bytes: number) => Math.ceil(bytes / 4);

export const run = async (): Promise<Report> => {
  const rows = readStreams(folder).map(measure);
  const least = (kind: string) => {
    const ratios = rows.filter((row) => row.kind === kind);
    return ratios.reduce((worst, row) => (row.shrinks < worst.shrinks ? row : worst));
  };
  const claims = ['progress', 'full screen'].map((kind) => {
    const { stream, shrinks } = least(kind);
    const claim = `${kind}: the text is at least 20 times smaller than the output (least: ${stream}, ${shrinks.toFixed(1)})`;
    return { claim, holds: shrinks >= 20 };
  });
  return { question: 'What does an agent pay to read what a program said?', rows, claims };
};

function measure(stream: Stream) {
  const output = outputOf(stream);
  const raw = Buffer.byteLength(output);
  const stripped = Buffer.byteLength(output.replace(ansi, ''));
  const { text, often, screen } = play(stream);
  return {
    stream: stream.name,
    kind: kindOf(stream.name),
    raw,
    stripped,
    text,
    'read often': often,
    screen,
    'raw tokens': tokens(raw),
    'stripped tokens': tokens(stripped),
    'text tokens': tokens(text),
    // A byte where there is none: a program that said nothing in lines.
    shrinks: raw / Math.max(1, text),
  };
}

const outputOf = ({ events }: Stream): string =>
  events.map((event) => ('output' in event ? event.output : '')).join('');

/** Bytes of the text read at the end, of all texts read on the way, and of the last screen expected. */
function play({ cols, rows, events }: Stream) {
  const screen = new Screen({ cols, rows });
  const once = new TextViewReader(screen);
  const oftenReader = new TextViewReader(screen);
  let often = 0;
  let lastScreen = 0;
  const readOften = () => {
    often += Buffer.byteLength(joinViewLines(oftenReader.read()));
  };
  for (const event of events) {
    if ('resize' in event) screen.resize(event.resize.cols, event.resize.rows);
    if ('screen' in event) lastScreen = Buffer.byteLength(makeScreenView(screen).lines.join('\n'));
    if (!('output' in event)) continue;
    const bytes = Buffer.from(event.output);
    for (let at = 0; at < bytes.length; at += 1024) {
      screen.write(bytes.subarray(at, at + 1024));
      readOften();
    }
  }
  return { text: Buffer.byteLength(joinViewLines(once.read())), often, screen: lastScreen };
}
