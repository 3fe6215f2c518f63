/**
 * Types: what a caller gives as text and key names, to the terminal, one caller after another.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { EmptySend } from '../../errors.ts';
import { type InputWrite, pauseBetween } from '../../keys/input.ts';
import { encodeKeys } from '../../keys/keys.ts';
import { refuseLongLines } from '../../keys/line-limit.ts';
import { encodeText } from '../../keys/text.ts';
import type { Modes } from '../../screen/sequences/modes.ts';
import type { LineMode } from '../../system/terminal/device.ts';
import { defaults, type SendOptions } from '../options/options.ts';

export interface TypedInput extends Pick<SendOptions, 'text' | 'submit' | 'keys'> {
  /** Text goes as a paste where the program has asked for pastes to be marked. */
  paste?: boolean;
}

/** Programs that take fast typing for a paste ignore Enter for 120 ms after it. */
const ENTER_PAUSE_MS = 150;
/** Programs wait up to 50 ms for what may follow an Escape. */
const ESCAPE_PAUSE_MS = 60;

/** What is to be written. Throws what is wrong with it before anything is. */
export const encodeInput = (
  { text, submit = defaults.submit, keys, paste = false }: TypedInput,
  modes: Modes,
  lineMode: LineMode | undefined,
  /** Bytes of the line that were typed before. */
  begun = 0,
): InputWrite[] => {
  const typed = text === undefined ? [] : encodeText(text, modes, { submit, paste });
  const pressed = keys === undefined ? [] : encodeKeys(keys, modes);
  const writes = [...typed, ...pressed];
  if (writes.length === 0) throw new EmptySend();
  if (lineMode?.canonical) refuseLongLines(writes, begun);
  return writes;
};

/** The lines that Enter is pressed behind, as they are typed. */
export const typedLines = (writes: readonly InputWrite[]): string[] => {
  const isText = ({ kind }: InputWrite) => kind === 'text' || kind === 'paste' || kind === 'enter';
  const typed = writes.filter(isText).map(({ bytes }) => Buffer.from(bytes).toString());
  return typed
    .join('')
    .replace(/\x1b\[20[01]~/g, '')
    .split('\r')
    .slice(0, -1);
};

/** Writes in order, each by itself, with the pauses that the program needs. */
export const writeWithPauses = async (
  writes: readonly InputWrite[],
  /** Whether the program may take fast typing for a paste. */
  detectsPastes: () => boolean,
  untilRead: () => Promise<void>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> => {
  const pauseFor = async (ms: number) => {
    // What a busy program reads in one go came in one go, however long the pause between.
    await untilRead();
    await delay(ms);
  };
  for (const [at, next] of writes.entries()) {
    const previous = writes[at - 1];
    const pause = previous && pauseBetween(previous, next);
    // Typed ahead, a line is echoed twice: by the kernel now, and by the program when it reads it.
    if (previous?.kind === 'enter') await untilRead();
    if (pause === 'after-escape') await pauseFor(ESCAPE_PAUSE_MS);
    if (pause === 'enter-after-text' && detectsPastes()) await pauseFor(ENTER_PAUSE_MS);
    await write(next.bytes);
  }
};
