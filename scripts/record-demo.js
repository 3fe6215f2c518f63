/**
 * `node scripts/record-demo.js`, after `npm run build`: records `repartee demo` with our own recording,
 * as docs/demo.cast, and draws docs/demo.svg from it, as `repartee replay --svg` does.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { framesOfRecording } from '../dist/cli/replay/recording-frames.js';
import { readRecordingTimeline } from '../dist/cli/replay/timeline.js';
import { drawMovingSvg } from '../dist/picture/draw-svg.js';
import { LocalSessions } from '../dist/session/local-sessions.js';

const COLS = 100;
const ROWS = 32;
/** A person who waits for something in the demo has not asked for a film of it. */
const IDLE_LIMIT_MS = 2000;

const root = fileURLToPath(new URL('..', import.meta.url));
const docs = (name) => join(root, 'docs', name);

const record = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-'));
  // It is to say what it says where it was installed from the registry.
  const modules = mkdtempSync(join(tmpdir(), 'repartee-'));
  mkdirSync(join(modules, 'node_modules'));
  const installed = join(modules, 'node_modules/repartee');
  symlinkSync(root, installed);
  const asInstalled = ['--preserve-symlinks', '--preserve-symlinks-main'];
  try {
    const sessions = new LocalSessions({ recordings: { folder } });
    await sessions.open({
      name: 'demo',
      command: [process.execPath, ...asInstalled, join(installed, 'dist/cli/main.js'), 'demo'],
      env: { NO_COLOR: undefined },
      cols: COLS,
      rows: ROWS,
      record: true,
      timeoutMs: 0,
    });
    const { exitCode } = await sessions.wait({ sessions: ['demo'], until: 'exit' });
    await sessions.closeAll();
    if (exitCode !== 0) throw new Error(`The demo exited with ${exitCode}: see it by itself.`);
    const [file] = readdirSync(folder);
    return readFileSync(join(folder, file), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(modules, { recursive: true, force: true });
  }
};

/** The command is the one that a reader would type. */
const presentable = (cast) => {
  const [header, ...events] = cast.split('\n');
  const facts = { ...JSON.parse(header), command: 'npx repartee demo', title: 'repartee demo' };
  return [JSON.stringify(facts), ...events].join('\n');
};

const draw = async (file) =>
  drawMovingSvg(framesOfRecording(file, await readRecordingTimeline([file], IDLE_LIMIT_MS)));

writeFileSync(docs('demo.cast'), presentable(await record()));
writeFileSync(docs('demo.svg'), await draw(docs('demo.cast')));
