/** Observes the program of a session once, and judges whose turn it is. */
import { gatherEvidence, ownPlace } from '../state/evidence/gather-evidence.ts';
import { type Evidence, judge, type Observation } from '../state/judge.ts';
import type { Verdict } from '../state/verdict.ts';
import type { Session } from './session.ts';

/** Undefined if something changed meanwhile. */
export const observeProgram = (session: Session, lastOutputMs: number): Observation | undefined => {
  const { terminal, screen, input, shell, history } = session;
  const sources = {
    exit: terminal.exit,
    terminal,
    screen,
    inputPosition: input.inputPosition,
    typed: input.typedLine,
    lastInputMs: input.inputMs,
    lastOutputMs,
    history,
    isPromptPlace: (place: string) => shell.isPromptPlace(place),
    hiddenBy: session.hiddenBy,
  };
  const evidence = gatherEvidence(sources, performance.now());
  if (evidence === undefined) return undefined;
  const verdict = judge(evidence);
  // The program has gone on while we looked for what is due.
  if (evidence.kernel?.hasMoved) return undefined;
  if (evidence.shell?.isUnmarked) shell.isUnmarked = true;
  else if (isMarkedPrompt(evidence, verdict))
    shell.notePromptPlace(ownPlace(evidence.kernel?.threads ?? [], terminal.programPid));
  if (!isShellReplaced(session, evidence, verdict)) return { evidence, verdict };
  screen.marks.forget();
  shell.running = undefined;
  return observeProgram(session, lastOutputMs);
};

const isMarkedPrompt = ({ shell }: Evidence, verdict: Verdict): boolean =>
  shell?.at === 'prompt' &&
  shell.ownPid !== undefined &&
  !shell.isWithin &&
  verdict.certainty === 'certain' &&
  verdict.state === 'waiting' &&
  verdict.waitingFor === 'command';

/** Whether a command has replaced the shell by `exec`. Then its old marks no longer count. */
const isShellReplaced = (
  { screen, shell, terminal }: Session,
  evidence: Evidence,
  verdict: Verdict,
): boolean => {
  const isInCommand = screen.marks.own !== undefined && evidence.shell?.at === 'command';
  return isInCommand && verdict.state === 'waiting' && shell.isReplaced(terminal.programPid);
};
