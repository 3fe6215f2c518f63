/** asciinema's own player plays our recordings: its core, which needs no browser. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Screen } from '../../../src/screen/screen.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

/** The part of the player's core that is used here. */
interface Core {
  terminalReady(): void;
  play(): Promise<unknown>;
  getDuration(): number;
  addEventListener(name: string, listener: (data: never) => void): void;
}
type NewCore = new (source: unknown, options: unknown) => Core;

/** The package exports only what needs a browser; the core is in a file with a hash in its name. */
const playerCore = async (): Promise<NewCore> => {
  const folder = join(import.meta.dirname, '../../../node_modules/asciinema-player/dist');
  const file = readdirSync(folder).find((name) => /^core-.*\.js$/.test(name));
  return (await import(join(folder, file!))).C;
};

test('asciinema-player plays a recording: its parser, its clock, its events', async () => {
  const sessions = new LocalSessions({ recordings: { folder: folderWith() } });
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0 })));
  const marks = String.raw`printf '\e]133;C\a→ \e[31mred\e[0m\n\e]133;D;0\a'; cat`;
  await sessions.open({ command: marks, name: 'played', record: true, cols: 50, rows: 9 });
  await sessions.send('played', { text: 'hello' }, { actor: 'Ada\n[0,"o","injected"]' });
  await sessions.resize('played', 60, 12);
  await sessions.send('played', { text: 'wide' });
  const live = await sessions.read('played', { view: 'screen' });
  const path = sessions.recordingOf('played')!;
  await sessions.close('played');

  const Core = await playerCore();
  const logger = { log() {}, debug() {}, info() {}, warn() {}, error: console.error };
  // As the player gets a file from a server.
  const data = () => new Response(readFileSync(path, 'utf8'));
  const core = new Core({ data }, { logger, speed: 1000, preload: true });
  const screen = new Screen({ cols: 1, rows: 1 });
  onTestFinished(() => screen.dispose());
  const played: { typed: string; markers: string[]; isOver: boolean; error?: unknown } = {
    typed: '',
    markers: [],
    isOver: false,
  };
  const resize = ({ cols, rows }: { cols: number; rows: number }) => screen.resize(cols, rows);
  core.addEventListener('reset', (data: { size: { cols: number; rows: number } }) =>
    resize(data.size),
  );
  core.addEventListener('resize', (size: { cols: number; rows: number }) => resize(size));
  // All output within one frame comes in one event.
  core.addEventListener('output', (texts: string[]) => screen.write(Buffer.from(texts.join(''))));
  core.addEventListener('input', ({ data }: { data: string }) => {
    played.typed += data;
  });
  core.addEventListener('marker', ({ label }: { label: string }) => played.markers.push(label));
  core.addEventListener('error', (error: never) => {
    played.error = error;
  });
  core.addEventListener('ended', () => {
    played.isOver = true;
  });
  core.terminalReady();
  await core.play();
  await until('the end of the recording', () => played.isOver || played.error !== undefined);

  expect(played).toEqual({
    typed: 'hello\rwide\r',
    markers: ['command', 'exit 0'],
    isOver: true,
  });
  expect(core.getDuration()).toBeGreaterThan(0);
  const rows = Array.from({ length: 12 }, (_, row) => screen.grid.rowText(row));
  expect(rows.join('\n').trimEnd()).toBe(live.output);
  expect(live.output).toMatch(/^→ red\nhello\nhello\nwide\nwide/);
});
