/** Gathers all evidence about a session's program at one moment. */

import type { Screen } from '../../screen/screen.ts';
import { isOutOfDescriptors } from '../../system/descriptors.ts';
import {
  type KernelEvidence,
  type ObservedTerminal,
  observeForeground,
} from '../../system/foreground/kernel-evidence.ts';
import type { ThreadHistory } from '../../system/foreground/thread-history.ts';
import type { Exit } from '../../system/process/reaper.ts';
import type { LineMode } from '../../system/terminal/pty-device.ts';
import type { Evidence } from '../judge.ts';
import type { TypedLine } from '../typed-line.ts';
import { shellEvidence, unmarkedPrompt } from './shell.ts';
import { silenceEvidence } from './silence.ts';
import { terminalEvidence } from './terminal.ts';

export interface EvidenceSources {
  exit: Exit | undefined;
  terminal: Omit<ObservedTerminal, 'device' | 'pipe'> & {
    /** The session's own program: its shell, if it is one. */
    programPid: number;
    device: number | undefined;
    inputPipe?: string | undefined;
  };
  screen: Screen;
  /** The length of the output at the last input. */
  inputPosition: number;
  /** The last typed line, to recognise its echo. */
  typed?: TypedLine;
  lastInputMs: number;
  lastOutputMs: number;
  history?: ThreadHistory;
  /** Whether the session's own shell has waited at this place when it was at its prompt. */
  isPromptPlace?: (place: string) => boolean;
  /** Why the program may be hidden from us. */
  hiddenBy?: string | undefined;
}

/** Undefined if something changed during the observation. */
export const gatherEvidence = (sources: EvidenceSources, nowMs: number): Evidence | undefined => {
  const { exit, terminal, screen, inputPosition, typed, lastInputMs, lastOutputMs } = sources;
  const observed = exit === undefined ? observable(terminal) : undefined;
  const kernel = observed === undefined ? 'unavailable' : kernelEvidence(observed, sources.history);
  if (kernel === undefined) return undefined;
  const marked = shellEvidence(screen, inputPosition, terminal.programPid, typed?.isEntered);
  const shell =
    kernel !== 'unavailable' && isPromptUnmarked(sources, kernel)
      ? unmarkedPrompt(terminal.programPid)
      : marked;
  return {
    ...(exit && { exit }),
    ...(kernel !== 'unavailable' && { kernel }),
    ...(sources.hiddenBy !== undefined && { hiddenBy: sources.hiddenBy }),
    terminal: terminalEvidence(screen, inputPosition, typed),
    ...(shell && { shell }),
    silence: silenceEvidence(nowMs, lastOutputMs, lastInputMs),
  };
};

const isPromptUnmarked = (
  { screen, terminal, isPromptPlace }: EvidenceSources,
  { threads, hasUnreadInput }: KernelEvidence,
): boolean => {
  const own = screen.marks.own?.mark;
  const runs = own === 'output' || own === 'done';
  const place = runs && !hasUnreadInput ? ownPlace(threads, terminal.programPid) : undefined;
  return place !== undefined && isPromptPlace?.(place) === true;
};

/** Where in its program the session's own shell waits for the terminal, if it does. */
export const ownPlace = (threads: KernelEvidence['threads'], ownPid: number): string | undefined =>
  threads.find(({ pid, terminalWait }) => pid === ownPid && terminalWait)?.terminalWait?.place;

/** A pipe gives the program whole lines, as far as we write them. */
const pipeMode: LineMode = {
  canonical: true,
  echo: true,
  signals: true,
  translatesEnter: true,
  translatesLineFeed: true,
  timesOutReads: false,
};

/** Undefined if the program gets no input at all. */
const observable = (terminal: EvidenceSources['terminal']): ObservedTerminal | undefined => {
  if (hasDevice(terminal)) return terminal;
  const { pid, inputPipe: pipe } = terminal;
  if (pipe === undefined) return undefined;
  return {
    pid,
    pipe,
    device: 0,
    session: undefined,
    foregroundGroup: undefined,
    lineMode: pipeMode,
    get hasUnreadInput() {
      return terminal.hasUnreadInput;
    },
    get hasUnreadOutput() {
      return terminal.hasUnreadOutput;
    },
  };
};

const hasDevice = (
  terminal: EvidenceSources['terminal'],
): terminal is EvidenceSources['terminal'] & ObservedTerminal => terminal.device !== undefined;

/** With no file descriptor left, /proc cannot be read: the same as on a machine that hides it. */
const kernelEvidence = (terminal: ObservedTerminal, history?: ThreadHistory) => {
  try {
    return observeForeground(terminal, history && { history });
  } catch (error) {
    if (isOutOfDescriptors(error)) return 'unavailable';
    throw error;
  }
};
