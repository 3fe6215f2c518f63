/** Turns a program's reports to its terminal into events: marks, title, folder, progress, bell. */
import type { Terminal } from '@xterm/headless';
import { plainText } from '../../plain-text.ts';
import {
  parseCwd,
  parseProgress,
  parseShellMark,
  parseTypedMark,
  type ScreenEvent,
} from './screen-events.ts';

type WithoutPosition<Event> = Event extends unknown ? Omit<Event, 'position'> : never;
export type ProgramAnnouncement = WithoutPosition<Exclude<ScreenEvent, { type: 'mode' }>>;

/** The number of our own OSC. No terminal that we know of uses it, so it is invisible everywhere. */
const TYPED_MARK_OSC = 7133;

const MAX_PATH_LENGTH = 4096;

export function onProgramAnnouncements(
  terminal: Terminal,
  emit: (event: ProgramAnnouncement) => void,
): void {
  const onOsc = (code: number, parse: (data: string) => ProgramAnnouncement | undefined) =>
    terminal.parser.registerOscHandler(code, (data) => {
      const event = parse(data);
      if (event !== undefined) emit(event);
      return true;
    });
  for (const code of [133, 633]) {
    onOsc(code, (data) => {
      const mark = parseShellMark(data);
      return mark && { type: 'mark', ...mark };
    });
  }
  onOsc(TYPED_MARK_OSC, (data) => {
    const mark = parseTypedMark(data);
    return mark && { type: 'typed-mark', ...mark };
  });
  onOsc(7, (data) => {
    const cwd = parseCwd(data);
    return cwd === undefined ? undefined : { type: 'cwd', cwd: plainText(cwd, MAX_PATH_LENGTH) };
  });
  onOsc(9, (data) => {
    const progress = parseProgress(data);
    return progress && { type: 'progress', ...progress };
  });
  terminal.onTitleChange((title) => emit({ type: 'title', title: plainText(title) }));
  terminal.onBell(() => emit({ type: 'bell' }));
}
