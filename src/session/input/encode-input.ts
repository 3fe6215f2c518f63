/** Turns a caller's text and key names into writes to the terminal, and writes them with pauses. */
import { setTimeout as delay } from 'node:timers/promises';
import { EmptySend } from '../../errors.ts';
import { encodeKeyNames } from '../../keys/encode-key-names.ts';
import { type InputWrite, pauseBetweenWrites } from '../../keys/input-writes.ts';
import { refuseLongLines } from '../../keys/line-limit.ts';
import { encodeText } from '../../keys/text.ts';
import type { ScreenModes } from '../../screen/sequences/modes.ts';
import type { LineMode } from '../../system/terminal/pty-device.ts';
import type { Terminal } from '../../system/terminal/terminal.ts';
import { callDefaults, type SendOptions } from '../options/options.ts';

export interface TypedInput extends Pick<SendOptions, 'text' | 'submit' | 'keys'> {
  /** Send the text as a paste, if the program has switched on bracketed paste. */
  paste?: boolean;
  /** The command, if the text runs one. */
  run?: string;
}

/** Who gets the input. */
export interface InputReader {
  modes: ScreenModes;
  lineMode: LineMode | undefined;
  /** Its name, as far as it is known. */
  program?: string | undefined;
}

/** Programs that mistake fast typing for a paste ignore Enter for 120 ms after it. */
const ENTER_PAUSE_MS = 150;
/** After an Escape, programs wait up to 50 ms for the rest of a sequence. */
const ESCAPE_PAUSE_MS = 60;

/** The writes for an input. Throws if anything is wrong with it, before anything is written. */
export const encodeInput = (
  { text, submit = callDefaults.submit, keys, paste = false }: TypedInput,
  { modes, lineMode, program }: InputReader,
  /** Bytes of the current line that were typed before. */
  unfinishedBytes = 0,
): InputWrite[] => {
  const typed = text === undefined ? [] : encodeText(text, modes, { submit, paste, program });
  const pressed = keys === undefined ? [] : encodeKeyNames(keys, modes);
  const writes = [...typed, ...pressed];
  if (writes.length === 0) throw new EmptySend();
  if (lineMode?.canonical) refuseLongLines(writes, unfinishedBytes);
  return writes;
};

/** The typed lines that end with Enter. */
export const submittedLines = (writes: readonly InputWrite[]): string[] => {
  const isText = ({ kind }: InputWrite) => kind === 'text' || kind === 'paste' || kind === 'enter';
  const typed = writes.filter(isText).map(({ bytes }) => Buffer.from(bytes).toString());
  return typed
    .join('')
    .replace(/\x1b\[20[01]~/g, '')
    .split(/[\r\n]/)
    .slice(0, -1);
};

/** Writes one after another, with the pauses the program needs. */
export const writeWithPauses = async (
  writes: readonly InputWrite[],
  /** Whether the program may mistake fast typing for a paste. */
  detectsPastes: () => boolean,
  untilRead: () => Promise<void>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> => {
  const pauseFor = async (ms: number) => {
    // A busy program reads both writes in one go, however long the pause between them.
    await untilRead();
    await delay(ms);
  };
  for (const [at, next] of writes.entries()) {
    const previous = writes[at - 1];
    const pause = previous && pauseBetweenWrites(previous, next);
    // A line typed ahead is echoed twice: by the kernel now, and by the program when it reads it.
    if (previous?.kind === 'enter') await untilRead();
    if (pause === 'after-escape') await pauseFor(ESCAPE_PAUSE_MS);
    if (pause === 'enter-after-text' && detectsPastes()) await pauseFor(ENTER_PAUSE_MS);
    await write(next.bytes);
  }
};

/**
 * Joins Enter with the text before it. In canonical mode the program cannot see a difference. And
 * node's REPL shows a completion after the text, and an Enter that comes a moment later accepts it.
 */
export const joinEnterWithText = (writes: readonly InputWrite[]): InputWrite[] => {
  const lines: InputWrite[] = [];
  for (const write of writes) {
    const last = lines.at(-1);
    if (write.kind === 'enter' && last?.kind === 'text')
      lines[lines.length - 1] = { kind: 'enter', bytes: Buffer.concat([last.bytes, write.bytes]) };
    else lines.push(write);
  }
  return lines;
};

/** Enter as this terminal sends it, in place of the carriage return of its key. */
export const withEnterOf = (
  { enter }: Pick<Terminal, 'enter'>,
  writes: readonly InputWrite[],
): readonly InputWrite[] =>
  enter === '\r'
    ? writes
    : writes.map((write) =>
        write.kind === 'enter'
          ? { ...write, bytes: Buffer.concat([write.bytes.subarray(0, -1), Buffer.from(enter)]) }
          : write,
      );
