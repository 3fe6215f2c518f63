/** Observes a session's program: the evidence at one moment, and the verdict on it. */
import type { Screen } from '../screen/screen.ts';
import { gatherEvidence } from '../state/evidence/gather-evidence.ts';
import { type Evidence, judge } from '../state/judge.ts';
import type { Verdict } from '../state/verdict.ts';
import type { Pipes } from '../system/terminal/pipes.ts';
import { Pty } from '../system/terminal/pty.ts';
import type { InputQueue } from './input/input-queue.ts';

export interface Observation {
  evidence: Evidence;
  verdict: Verdict;
}

interface ObservedSession {
  channel: Pty | Pipes;
  screen: Screen;
  input: Pick<InputQueue, 'inputPosition' | 'inputMs' | 'typedLine'>;
  lastOutputMs: number;
}

/** Undefined if something changed during the observation. */
export const observeSession = ({
  channel,
  screen,
  input,
  lastOutputMs,
}: ObservedSession): Observation | undefined => {
  const evidence = gatherEvidence(
    {
      exit: channel.exit,
      terminal: channel instanceof Pty ? channel : undefined,
      screen,
      inputPosition: input.inputPosition,
      typed: input.typedLine,
      lastInputMs: input.inputMs,
      lastOutputMs,
    },
    performance.now(),
  );
  return evidence && { evidence, verdict: judge(evidence) };
};
