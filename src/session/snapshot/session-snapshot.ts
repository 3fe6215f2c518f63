/**
 * A session as data: what it is, apart from the terminal that it is given. A session made from it goes
 * on where the other stopped, in this process or in another.
 *
 * The schema is also the type. Classes import only the types, so that nothing but a restore loads the
 * checker. Times are in milliseconds since 1970, since each process has a clock of its own. It holds
 * the secrets that were typed, since output is still searched for them: keep it in memory.
 */
import { z } from 'zod';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import {
  blankScreenSnapshot,
  markSnapshot,
  printingSnapshot,
  screenSnapshot,
} from '../../screen/screen-snapshot.ts';
import { bytes, flag, numberField as number, text } from '../../screen/snapshot-fields.ts';
import { seenScreenSnapshot, textReaderSnapshot } from '../../views/reader-snapshot.ts';
import { doors } from '../caller.ts';

const caller = z.strictObject({
  door: z.enum(doors),
  client: z.strictObject({ name: text, version: text.exactOptional() }).exactOptional(),
  user: text,
  uid: number,
  kind: z.enum(['person', 'agent']),
  pid: number.exactOptional(),
  inside: z.strictObject({ session: text.exactOptional() }).exactOptional(),
});

const paths = z.union([z.literal('all'), z.array(text)]);

const sandbox: z.ZodType<Sandbox> = z.strictObject({
  profile: text,
  workspace: text.exactOptional(),
  write: paths,
  read: paths,
  hide: z.array(text),
  network: z.union([z.enum(['none', 'all']), z.array(text)]),
  env: z.array(text),
  limits: z.strictObject({
    memoryBytes: number.exactOptional(),
    processes: number.exactOptional(),
    cpuSeconds: number.exactOptional(),
    fileBytes: number.exactOptional(),
    seconds: number.exactOptional(),
  }),
});

const span = z.strictObject({
  from: number,
  to: number,
  line: z.strictObject({ id: number, text }).exactOptional(),
});

const tracker = z.strictObject({
  key: text.exactOptional(),
  starts: z.array(z.strictObject({ position: number, printing: printingSnapshot.exactOptional() })),
  ends: z.array(number),
  expectedRuns: number,
  runs: number,
  typedAt: number,
  startedAt: number.exactOptional(),
  end: z
    .strictObject({
      position: number,
      at: number,
      exitCode: number.exactOptional(),
      cwd: text.exactOptional(),
    })
    .exactOptional(),
  isEndAtPrompt: flag,
  isStartUnseen: flag,
  isLineTaken: flag,
  isRefused: flag,
  isPromptDrawn: flag,
  isNextStarted: flag,
});

const shell = z.strictObject({
  aid: text.exactOptional(),
  kind: z.enum(['bash', 'zsh', 'fish']).exactOptional(),
  promptMarks: z.array(z.enum(['prompt', 'input', 'output', 'done'])),
  commandLine: text.exactOptional(),
  promptPlaces: z.array(text),
  isUnmarked: flag,
  isStartUnseen: flag,
  /** Nobody waits for it any more: its caller was a call of the other process. */
  running: z
    .strictObject({
      command: text,
      typedAtPrompt: text.exactOptional(),
      tracker: tracker.exactOptional(),
    })
    .exactOptional(),
});

const mask = z.strictObject({
  values: z.array(bytes),
  /** For each value: the positions of the bytes that match its beginning. */
  inText: z.array(z.array(number)),
  inStrings: z.array(z.array(number)),
  held: bytes,
  released: number,
  escapeState: number,
});

const echo = z.strictObject({
  spans: z.array(span),
  expected: z.array(text),
  firstLine: z
    .strictObject({ id: number, position: number, text, right: text.exactOptional() })
    .exactOptional(),
  lastPrompt: text,
  linesLeft: number,
  hasBlanks: flag,
  second: z.strictObject({ prompt: text, lines: z.array(text), linesLeft: number }).exactOptional(),
  isUnanswered: flag,
  paste: z.strictObject({ lines: number, from: number.exactOptional() }).exactOptional(),
});

const hidden = z.strictObject({
  lastPrompt: text.exactOptional(),
  ownPromptLines: number.exactOptional(),
  ownPromptEnd: text,
  longerPrompt: z.strictObject({ markedAt: number, text }),
  signs: z.strictObject({ spans: z.array(span), outputEnd: number.exactOptional() }),
  hooks: z.array(span),
});

const replies = z.array(
  z.strictObject({
    text,
    queriedAt: number,
    mark: markSnapshot.exactOptional(),
    cursor: z.strictObject({ row: number, col: number }),
    wasRaw: flag,
  }),
);

const reader = z.strictObject({
  name: text,
  text: textReaderSnapshot,
  rawPosition: number,
  screen: seenScreenSnapshot.exactOptional(),
  carried: z.strictObject({
    lines: z.array(z.strictObject({ position: number, text, bytes: number.exactOptional() })),
    gone: z.strictObject({ lines: number, bytes: number }),
    hidden: number,
  }),
});

const typedAtPrompt = z.strictObject({ text, isLikelyLine: flag });

const input = z.strictObject({
  position: number,
  at: number,
  typed: z.strictObject({
    text,
    entered: text.exactOptional(),
    prompt: typedAtPrompt.exactOptional(),
    enters: number,
  }),
  keyboardHolder: text.exactOptional(),
  lastCaller: caller.exactOptional(),
  lastPrompt: z.strictObject({
    position: number,
    isSecret: flag,
    program: text.exactOptional(),
    prompt: typedAtPrompt.exactOptional(),
  }),
  lineReader: text.exactOptional(),
  unfinishedBytes: number,
  gate: text.exactOptional(),
});

export const sessionSnapshot = z.strictObject({
  name: text,
  command: z.array(text),
  openedBy: caller,
  openedAt: number,
  usedAt: number,
  lastOutputAt: number,
  isExitReported: flag,
  sandbox: sandbox.exactOptional(),
  shell,
  mask,
  echo,
  hidden,
  replies,
  readers: z.array(reader),
  input,
  screen: z.union([screenSnapshot, blankScreenSnapshot]),
});

export type SessionSnapshot = z.infer<typeof sessionSnapshot>;
export type ShellSnapshot = z.infer<typeof shell>;
export type TrackerSnapshot = z.infer<typeof tracker>;
export type MaskSnapshot = z.infer<typeof mask>;
export type EchoSnapshot = z.infer<typeof echo>;
export type ExpectedEchoSnapshot = Omit<EchoSnapshot, 'spans'>;
export type HiddenSnapshot = z.infer<typeof hidden>;
export type RepliesSnapshot = z.infer<typeof replies>;
export type ReaderSnapshot = z.infer<typeof reader>;
export type InputSnapshot = z.infer<typeof input>;
