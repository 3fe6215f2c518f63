/** Turns what a caller types, text and key names, into writes to the terminal. */
import { setTimeout as delay } from 'node:timers/promises';
import { EmptySend } from '../../errors.ts';
import { type InputWrite, pauseBetween } from '../../keys/input.ts';
import { encodeKeys } from '../../keys/keys.ts';
import { refuseLongLines } from '../../keys/line-limit.ts';
import { encodeText } from '../../keys/text.ts';
import type { Modes } from '../../screen/sequences/modes.ts';
import type { LineMode } from '../../system/terminal/device.ts';
import type { Pipes } from '../../system/terminal/pipes.ts';
import { Pty } from '../../system/terminal/pty.ts';
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

/**
 * Enter goes with its text. Where the kernel collects lines nobody can tell them apart; and node's
 * REPL takes an Enter that comes a moment later for a yes to the completion it has shown meanwhile.
 */
export const joinEnter = (writes: readonly InputWrite[]): InputWrite[] => {
  const lines: InputWrite[] = [];
  for (const write of writes) {
    const last = lines.at(-1);
    if (write.kind === 'enter' && last?.kind === 'text')
      lines[lines.length - 1] = { kind: 'enter', bytes: Buffer.concat([last.bytes, write.bytes]) };
    else lines.push(write);
  }
  return lines;
};

/** Without a terminal nobody turns Enter into the line feed that programs expect. */
export const forChannel = (
  writes: readonly InputWrite[],
  channel: Pty | Pipes,
): readonly InputWrite[] =>
  channel instanceof Pty
    ? writes
    : writes.map((write) =>
        write.kind === 'enter'
          ? { ...write, bytes: Buffer.concat([write.bytes.subarray(0, -1), Buffer.from('\n')]) }
          : write,
      );
