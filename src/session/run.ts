/** One shell command: types it, follows it to its end, and returns what it has said. */
import { randomBytes } from 'node:crypto';
import { SessionBusy } from '../errors.ts';
import type { ScreenEvent } from '../screen/events.ts';
import { typedWithMarks } from '../shell/typed.ts';
import { given } from './given.ts';
import { AGENT } from './options.ts';
import type { Running } from './own-shell.ts';
import { isTakenWithin } from './patience.ts';
import type { RunRequest } from './requests.ts';
import { Course } from './run-course.ts';
import { type Place, placeIn } from './run-place.ts';
import { type Ran, runResult } from './run-result.ts';
import { untilEnd } from './run-wait.ts';
import type { Session } from './session.ts';
import type { Call, RunResult } from './sessions.ts';
import { waitFor } from './wait.ts';

/** A prompt may ask git or the network. */
const DROP_MS = 2000;

/** In the shell of a session that is there. */
export const runIn = async (
  session: Session,
  request: RunRequest,
  call: Call,
): Promise<RunResult> => {
  const startedMs = performance.now();
  const before = session.shell.running;
  if (before?.isAwaited) throw new SessionBusy(session.name, before.command);
  const running: Running = { command: request.command, isAwaited: true };
  session.shell.running = running;
  let course: Course | undefined;
  let isTyped = false;
  try {
    const place = await placeIn(session, request.command, before);
    const key = place.marks === 'typed' ? randomBytes(8).toString('hex') : undefined;
    if (place.marks === 'typed') running.typedAtPrompt = place.prompt;
    session.reader(call.reader ?? AGENT).setAside(session.leftOut(place.verdict));
    course = new Course(session, request.command, key);
    const typing = type(session, request.command, place, key, call);
    await isTakenWithin(typing, request.timeoutMs, call.signal);
    isTyped = true;
    const leftMs = Math.max(0, request.timeoutMs - (performance.now() - startedMs));
    const waited = await untilEnd(session, course, leftMs, call);
    const how = { endMark: place.marks, isFresh: false };
    const ran: Ran = { session, course, startedMs, ...how, ...waited };
    if (isLeftInEditor(ran)) Object.assign(ran, await dropLine(session, call));
    return await runResult(ran, request.maxTokens, call);
  } catch (error) {
    if (!isTyped) {
      course?.stop();
      session.shell.running = before;
    }
    throw error;
  } finally {
    running.isAwaited = false;
    if (session.shell.running === running) forgetAtEnd(session, course);
  }
};

/** In a shell of its own, which has been given the command at its start. */
export const runFresh = async (
  session: Session,
  { command, timeoutMs, maxTokens }: RunRequest,
  call: Call,
): Promise<RunResult> => {
  const startedMs = performance.now();
  // It ends with its shell: what a trap says at the exit belongs to it, as does the code.
  const course = new Course(session, command, undefined);
  course.begin(0);
  let cwd: string | undefined;
  const hear = (event: ScreenEvent) => {
    if (event.type === 'typed-mark' && event.key === session.shell.aid) cwd = event.cwd;
  };
  session.onScreenEvent.add(hear);
  try {
    const wish = { until: 'ready', from: 0, timeoutMs } as const;
    const { verdict, timedOut } = await waitFor([session], () => wish, call);
    const how = { endMark: 'shell', isFresh: true, ...given('cwd', cwd) } as const;
    const ran: Ran = { session, course, startedMs, ...how, verdict, timedOut };
    return await runResult(ran, maxTokens, call);
  } finally {
    course.stop();
    session.onScreenEvent.delete(hear);
  }
};

const type = (
  session: Session,
  command: string,
  place: Place,
  key: string | undefined,
  { actor = AGENT }: Call,
): Promise<void> => {
  const noTabs = !session.screen.modes.bracketedPaste;
  const text =
    place.marks === 'typed' ? typedWithMarks(command, key!, place.dialect, { noTabs }) : command;
  // As a paste no editor completes, corrects or abbreviates any of it.
  return session.type({ text, paste: true }, actor);
};

/** fish gives a line that does not parse back to be edited; the next command must not go behind it. */
const isLeftInEditor = ({ session, course }: Ran): boolean =>
  session.shell.kind === 'fish' && course.end !== undefined && !course.hasBegun;

/**
 * With its new prompt: what it draws for that is nothing to read.
 *
 * C-c is a signal, and fish loses one that comes in the moment before it waits for input. So C-c is
 * typed again when fish waits and has not told that the line is dropped.
 */
const dropLine = async (
  session: Session,
  call: Call,
): Promise<Pick<Ran, 'verdict' | 'isDropped'>> => {
  const untilMs = performance.now() + DROP_MS;
  let isDropped = false;
  const hear = (event: ScreenEvent) => {
    if (event.type !== 'typed-mark' || event.key !== session.shell.aid) return;
    isDropped ||= event.typed === 'dropped';
  };
  session.onScreenEvent.add(hear);
  try {
    for (;;) {
      await session.type({ keys: 'C-c' }, call.actor ?? AGENT);
      const timeoutMs = Math.max(0, untilMs - performance.now());
      const wish = { until: 'ready', from: session.inputPosition, timeoutMs } as const;
      const { verdict, timedOut } = await waitFor([session], () => wish, call);
      const isOver = isDropped || timedOut || verdict.state === 'exited';
      if (isOver) return { verdict, isDropped: true };
    }
  } finally {
    session.onScreenEvent.delete(hear);
  }
};

/** A command that goes on after `run` has returned still keeps its session busy. */
const forgetAtEnd = (session: Session, course: Course | undefined): void => {
  const { running } = session.shell;
  const forget = () => {
    if (course?.end === undefined) return;
    course.stop();
    if (session.shell.running === running) session.shell.running = undefined;
  };
  if (course === undefined) session.shell.running = undefined;
  else course.changed = forget;
  forget();
};
