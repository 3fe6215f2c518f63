/** Gathers all evidence about a session's program at one moment. */

import type { Screen } from '../../screen/screen.ts';
import { isOutOfDescriptors } from '../../system/descriptors.ts';
import {
  type ObservedTerminal,
  observeForeground,
} from '../../system/foreground/kernel-evidence.ts';
import type { Exit } from '../../system/process/reaper.ts';
import type { Evidence } from '../judge.ts';
import type { TypedLine } from '../typed-line.ts';
import { shellEvidence } from './shell.ts';
import { silenceEvidence } from './silence.ts';
import { terminalEvidence } from './terminal.ts';

export interface EvidenceSources {
  exit: Exit | undefined;
  terminal: Omit<ObservedTerminal, 'device'> & { device: number | undefined };
  screen: Screen;
  /** The length of the output at the last input. */
  inputPosition: number;
  /** The last typed line, to recognise its echo. */
  typed?: TypedLine;
  lastInputMs: number;
  lastOutputMs: number;
}

/** Undefined if something changed during the observation. */
export const gatherEvidence = (sources: EvidenceSources, nowMs: number): Evidence | undefined => {
  const { exit, terminal, screen, inputPosition, typed, lastInputMs, lastOutputMs } = sources;
  const isObservable = exit === undefined && hasDevice(terminal);
  const kernel = isObservable ? kernelEvidence(terminal) : 'unavailable';
  if (kernel === undefined) return undefined;
  const shell = shellEvidence(screen, inputPosition, terminal.pid, typed?.isEntered);
  return {
    ...(exit && { exit }),
    ...(kernel !== 'unavailable' && { kernel }),
    terminal: terminalEvidence(screen, inputPosition, typed),
    ...(shell && { shell }),
    silence: silenceEvidence(nowMs, lastOutputMs, lastInputMs),
  };
};

/** Only a terminal device has a foreground and a line mode that can be asked. */
const hasDevice = (terminal: EvidenceSources['terminal']): terminal is ObservedTerminal =>
  terminal.device !== undefined;

/** With no file descriptor left, /proc cannot be read: the same as on a machine that hides it. */
const kernelEvidence = (terminal: ObservedTerminal) => {
  try {
    return observeForeground(terminal);
  } catch (error) {
    if (isOutOfDescriptors(error)) return 'unavailable';
    throw error;
  }
};
