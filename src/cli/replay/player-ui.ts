/** Plays a recording in a person's terminal, with keys to pause, to seek and to leave. */

import type { TerminalWindow } from '../attach/display.ts';
import {
  ALTERNATE_OFF,
  ALTERNATE_ON,
  CLEAR,
  resetModes,
  setTitle,
} from '../attach/restore-terminal.ts';
import { ScreenPainter, screenAsLines } from '../attach/screen-painter.ts';
import { DONE } from '../exit-codes.ts';
import { Player, type PlayerFrame } from './player.ts';
import type { Timeline } from './timeline.ts';

const KEY = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O?.)|./gs;

export const playInTerminal = (name: string, timeline: Timeline, speed: number): Promise<number> =>
  new Promise((resolve) => {
    const { stdin, stdout } = process;
    const write = (bytes: string | Uint8Array) => void stdout.write(bytes);
    const window: TerminalWindow = {
      get cols() {
        return stdout.columns;
      },
      get rows() {
        return stdout.rows;
      },
      write,
      redraw: () => {},
    };
    let painter = new ScreenPainter(window);
    let last: PlayerFrame | undefined;
    const show = (shown: PlayerFrame) => {
      last = shown;
      painter.paint(shown.screen);
      write(setTitle(titleOf(name, shown, timeline, speed)));
      if (shown.isOver && !shown.isPaused) leave();
    };
    const player = new Player(timeline, speed, show);
    const keys: Readonly<Record<string, () => void>> = {
      ' ': () => player.toggle(),
      ']': () => player.seek('next') || write('\x07'),
      '[': () => player.seek('previous') || write('\x07'),
      q: () => leave(),
      '\x03': () => leave(),
    };
    // Whoever types fast has several keys in one read; an arrow's [ is no key of its own.
    const pressed = (bytes: Buffer) => {
      for (const [key] of bytes.toString().matchAll(KEY)) if (!hasLeft) keys[key]?.();
    };
    const resized = () => {
      painter = new ScreenPainter(window);
      write(CLEAR);
      if (last) show(last);
    };
    let hasLeft = false;
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      write(`${resetModes({ usedKittyKeys: false })}${ALTERNATE_OFF}`);
      // What was to be seen last stays to be read.
      if (last) write(`${screenAsLines(last.screen, stdout.columns).join('\n')}\n`);
      player.stop();
      stdout.off('resize', resized);
      if (stdin.isTTY) stdin.setRawMode(false).off('data', pressed).pause();
      resolve(DONE);
    };
    process.once('exit', leave);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.once(signal, leave);
    if (stdin.isTTY) stdin.setRawMode(true).on('data', pressed);
    stdout.on('resize', resized);
    write(`${ALTERNATE_ON}${CLEAR}`);
    player.start();
  });

const titleOf = (
  name: string,
  { atMs, isPaused }: PlayerFrame,
  { durationMs }: Timeline,
  speed: number,
): string => {
  const pace = isPaused ? ', paused' : speed === 1 ? '' : `, ${speed} times as fast`;
  return `${name}: ${clock(atMs)} of ${clock(durationMs)}${pace}`;
};

const clock = (ms: number): string => {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
