/** Writes the parts of a screen down, and makes them whole again: field by field. */
import type { StoredPages } from '../keeper/stored-pages.ts';
import type { OutputHistory } from './history/output-history.ts';
import type { LiveLines } from './lines/live-lines.ts';
import type { OutputParser } from './output-parser.ts';
import type { ScreenSnapshot } from './screen-snapshot.ts';
import type { LastShellMarks } from './sequences/last-shell-marks.ts';
import type { ModeSwitches } from './sequences/modes.ts';
import type { ProgressReport } from './sequences/screen-events.ts';
import type { Xterm } from './xterm/xterm.ts';
import { restoreXterm, snapshotXterm } from './xterm/xterm-snapshot.ts';

/** What the program has said about itself last. */
export interface Announced {
  title: string;
  /** From OSC 7. */
  cwd: string | undefined;
  progress: ProgressReport;
}

export interface ScreenParts {
  readonly bareLineFeeds: boolean;
  readonly announced: Announced;
  readonly marks: LastShellMarks;
  readonly switches: ModeSwitches;
  readonly xterm: Xterm;
  readonly history: OutputHistory;
  readonly lines: LiveLines;
  readonly parser: OutputParser;
}

export const snapshotScreenParts = (
  {
    bareLineFeeds,
    announced: { title, cwd, progress },
    marks,
    switches,
    xterm,
    history,
    lines,
    parser,
  }: ScreenParts,
  pages?: StoredPages,
): ScreenSnapshot => ({
  bareLineFeeds,
  title,
  ...(cwd !== undefined && { cwd }),
  progress,
  marks: marks.snapshot(),
  switches: { ...switches.last },
  xterm: snapshotXterm(xterm),
  history: history.snapshot(pages),
  lines: lines.snapshot(),
  parser: parser.snapshot(),
});

/** The parts are those of a new screen of the same size. */
export const restoreScreenParts = (
  parts: ScreenParts,
  snapshot: ScreenSnapshot,
  pages?: StoredPages,
): void => {
  restoreXterm(parts.xterm, snapshot.xterm);
  parts.history.restore(snapshot.history, pages);
  parts.lines.restore(snapshot.lines);
  parts.switches.restore(snapshot.switches);
  parts.parser.restore(snapshot.parser);
  parts.marks.restore(snapshot.marks);
  const { title, cwd, progress } = snapshot;
  Object.assign(parts.announced, { title, cwd, progress });
};
