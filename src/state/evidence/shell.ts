/**
 * Evidence from shell marks (OSC 133 and 633).
 *
 * Marks that carry the session's own key are believed. Once there are any, marks without the key count
 * only while a command of our shell runs: they may come from another shell, or from ssh to one.
 */
import type { Screen } from '../../screen/screen.ts';
import type { PositionedMark } from '../../screen/sequences/last-shell-marks.ts';

export interface ShellEvidence {
  /** `prompt`: the shell is at its prompt. `command`: it runs a command. */
  at: 'prompt' | 'command';
  sinceInput: boolean;
  /** The end of its prompt is marked too. Not every shell does that. */
  isDrawn?: true;
  /** The session's own shell. That it runs a command says nothing about other processes. */
  ownPid?: number;
  /** Marked by something that runs inside the session's own shell. */
  isWithin?: true;
  /**
   * Enter was pressed since, and the shell has neither run anything nor marked a new prompt: it
   * waits for the rest of a command.
   */
  isContinued?: true;
  /** It is at its prompt again, as its stack shows, but has not marked that: the user has removed the marks. */
  isUnmarked?: true;
}

export const shellEvidence = (
  screen: Screen,
  inputPosition: number,
  leaderPid?: number,
  isEntered = false,
): ShellEvidence | undefined => {
  const { own: ownMark, last: lastMark } = screen.marks;
  if (lastMark === undefined) return undefined;
  if (ownMark === undefined) return fromMark(lastMark, inputPosition);
  const ownPid = { ...(leaderPid !== undefined && { ownPid: leaderPid }) };
  const own = fromMark(ownMark, inputPosition);
  const isContinued = own.at === 'prompt' && !own.sinceInput && isEntered;
  const isWithin = ownMark.mark === 'output' && lastMark.position > ownMark.position;
  const last = fromMark(lastMark, inputPosition);
  return isWithin && last.at === 'prompt'
    ? { ...last, ...ownPid, isWithin }
    : { ...own, ...ownPid, ...(isContinued && { isContinued }) };
};

/** Of a shell that is found at its prompt although its last mark says that it runs a command. */
export const unmarkedPrompt = (ownPid: number): ShellEvidence => ({
  at: 'prompt',
  sinceInput: true,
  ownPid,
  isUnmarked: true,
});

const fromMark = ({ mark, position }: PositionedMark, inputPosition: number): ShellEvidence => ({
  // After `done` the shell still has to draw its prompt, which can take a while.
  at: mark === 'prompt' || mark === 'input' ? 'prompt' : 'command',
  sinceInput: position > inputPosition,
  ...(mark === 'input' && { isDrawn: true }),
});
