/** One look at a session: what is known of its program in this moment, and what follows from that. */

import type { Screen } from '../screen/screen.ts';
import { type Evidence, judge } from '../state/judge.ts';
import { gatherEvidence } from '../state/observe.ts';
import type { TypedLine } from '../state/typed-line.ts';
import type { Verdict } from '../state/verdict.ts';
import type { Pipes } from '../system/terminal/pipes.ts';
import { Pty } from '../system/terminal/pty.ts';
import type { SessionShell } from './run/session-shell.ts';

export interface Observation {
  evidence: Evidence;
  verdict: Verdict;
}

/** What there is to look at. */
interface ObservedSession {
  channel: Pty | Pipes;
  screen: Screen;
  shell: SessionShell;
  typist: { inputPosition: number; inputMs: number; line: TypedLine };
  lastOutputMs: number;
}

/** Undefined where things moved while we looked. */
export const observeSession = (scene: ObservedSession): Observation | undefined => {
  const { channel, screen, shell, typist, lastOutputMs } = scene;
  const evidence = gatherEvidence(
    {
      exit: channel.exit,
      terminal: channel instanceof Pty ? channel : undefined,
      screen,
      inputPosition: typist.inputPosition,
      typed: typist.line,
      lastInputMs: typist.inputMs,
      lastOutputMs,
    },
    performance.now(),
  );
  if (evidence === undefined) return undefined;
  const verdict = judge(evidence);
  const isInCommand = screen.ownMark !== undefined && evidence.shell?.at === 'command';
  if (isInCommand && verdict.state === 'waiting' && shell.isReplaced(channel.pid)) {
    screen.forgetOwnShell();
    shell.running = undefined;
    return observeSession(scene);
  }
  return { evidence, verdict };
};
