/** Gathers the evidence on a session at one moment. */

import type { Screen } from '../screen/screen.ts';
import { isOutOfDescriptors } from '../system/descriptors.ts';
import { type ObservedTerminal, observeForeground } from '../system/foreground/kernel-evidence.ts';
import type { Exit } from '../system/process/reaper.ts';
import { shellEvidence } from './evidence/shell.ts';
import { silenceEvidence } from './evidence/silence.ts';
import { terminalEvidence } from './evidence/terminal.ts';
import type { Evidence } from './judge.ts';
import type { TypedLine } from './typed-line.ts';

export interface EvidenceSources {
  exit: Exit | undefined;
  /** Absent for a program without a terminal. */
  terminal: ObservedTerminal | undefined;
  screen: Screen;
  /** How much output there was when something was typed last. */
  inputPosition: number;
  /** What was typed, to know its echo by. */
  typed?: TypedLine;
  lastInputMs: number;
  lastOutputMs: number;
}

/** Undefined where things moved while we looked. */
export const gatherEvidence = (observed: EvidenceSources, nowMs: number): Evidence | undefined => {
  const { exit, terminal, screen, inputPosition, lastInputMs, lastOutputMs } = observed;
  const kernel = exit === undefined && terminal !== undefined ? askKernel(terminal) : 'mute';
  if (kernel === undefined) return undefined;
  const shell = shellEvidence(screen, inputPosition, terminal?.pid, observed.typed?.isEntered);
  return {
    ...(exit && { exit }),
    ...(kernel !== 'mute' && { kernel }),
    terminal: terminalEvidence(screen, inputPosition, observed.typed),
    ...(shell && { shell }),
    silence: silenceEvidence(nowMs, lastOutputMs, lastInputMs),
  };
};

/** Without a descriptor left to look with, the kernel is as mute as on a machine that hides it all. */
const askKernel = (terminal: ObservedTerminal) => {
  try {
    return observeForeground(terminal);
  } catch (error) {
    if (isOutOfDescriptors(error)) return 'mute';
    throw error;
  }
};
