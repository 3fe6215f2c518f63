/** Plays a recording in a person's terminal, with keys to pause, to seek and to quit. */

import {
  ALTERNATE_SCREEN_OFF,
  ALTERNATE_SCREEN_ON,
  CLEAR_SCREEN,
  POP_TITLE,
  PUSH_TITLE,
  resetModesSequence,
  titleSequence,
} from '../attach/restore-terminal.ts';
import { ScreenPainter, screenAsLines } from '../attach/screen-painter.ts';
import { StdoutWindow } from '../attach/stdout-window.ts';
import { EXIT_DONE } from '../exit-codes.ts';
import { type PlayerFrame, RecordingPlayer } from './player.ts';
import type { RecordingTimeline } from './timeline.ts';

/** One key: an escape sequence, or a character. */
const KEY = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O?.)|./gs;

export const playInTerminal = (
  name: string,
  timeline: RecordingTimeline,
  speed: number,
): Promise<number> =>
  new Promise((resolve) => {
    const { stdin, stdout } = process;
    const window = new StdoutWindow();
    const { write } = window;
    let painter = new ScreenPainter(window);
    let lastFrame: PlayerFrame | undefined;
    const showFrame = (frame: PlayerFrame) => {
      lastFrame = frame;
      painter.paint(frame.screen);
      write(titleSequence(titleOf(name, frame, timeline, speed)));
      if (frame.isOver && !frame.isPaused) quit();
    };
    const player = new RecordingPlayer(timeline, speed, showFrame);
    const keys: Readonly<Record<string, () => void>> = {
      ' ': () => player.toggle(),
      ']': () => player.seek('next') || write('\x07'),
      '[': () => player.seek('previous') || write('\x07'),
      q: () => quit(),
      '\x03': () => quit(),
    };
    // One read may have several keys, and the [ in an arrow key's sequence is not the key [.
    const onKeys = (bytes: Buffer) => {
      for (const [key] of bytes.toString().matchAll(KEY)) if (!hasQuit) keys[key]?.();
    };
    const onResize = () => {
      painter = new ScreenPainter(window);
      write(CLEAR_SCREEN);
      if (lastFrame) showFrame(lastFrame);
    };
    let hasQuit = false;
    const quit = () => {
      if (hasQuit) return;
      hasQuit = true;
      write(`${resetModesSequence({ usedKittyKeys: false })}${ALTERNATE_SCREEN_OFF}${POP_TITLE}`);
      // The last screen stays in the terminal.
      if (lastFrame) write(`${screenAsLines(lastFrame.screen, stdout.columns).join('\n')}\n`);
      player.stop();
      stdout.off('resize', onResize);
      if (stdin.isTTY) stdin.setRawMode(false).off('data', onKeys).pause();
      resolve(EXIT_DONE);
    };
    process.once('exit', quit);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.once(signal, quit);
    if (stdin.isTTY) stdin.setRawMode(true).on('data', onKeys);
    stdout.on('resize', onResize);
    write(`${PUSH_TITLE}${ALTERNATE_SCREEN_ON}${CLEAR_SCREEN}`);
    player.start();
  });

const titleOf = (
  name: string,
  { atMs, isPaused }: PlayerFrame,
  { durationMs }: RecordingTimeline,
  speed: number,
): string => {
  const status = isPaused ? ', paused' : speed === 1 ? '' : `, ${speed} times as fast`;
  return `${name}: ${formatMinutes(atMs)} of ${formatMinutes(durationMs)}${status}`;
};

const formatMinutes = (ms: number): string => {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
