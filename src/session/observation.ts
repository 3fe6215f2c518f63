/** One look at a session: what is known of its program in this moment, and what follows from that. */

import type { Screen } from '../screen/screen.ts';
import { type Evidence, judge } from '../state/judge.ts';
import { observe } from '../state/observe.ts';
import type { TypedLine } from '../state/typed-line.ts';
import type { Verdict } from '../state/verdict.ts';
import type { Pipes } from '../system/terminal/pipes.ts';
import { Pty } from '../system/terminal/pty.ts';
import type { OwnShell } from './run/session-shell.ts';

export interface Sight {
  evidence: Evidence;
  verdict: Verdict;
}

/** What there is to look at. */
interface Scene {
  channel: Pty | Pipes;
  screen: Screen;
  shell: OwnShell;
  typist: { inputPosition: number; inputMs: number; line: TypedLine };
  lastOutputMs: number;
}

/** Undefined where things moved while we looked. */
export const lookAt = (scene: Scene): Sight | undefined => {
  const { channel, screen, shell, typist, lastOutputMs } = scene;
  const evidence = observe(
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
    return lookAt(scene);
  }
  return { evidence, verdict };
};
