/**
 * What a shell with marks says of itself (OSC 133 and 633).
 *
 * Marks that carry the session's own key are believed. Once there are any, those of others count only
 * while a command of our shell runs: it may be another shell, or ssh to one.
 */
import type { Screen } from '../../screen/screen.ts';
import type { PlacedMark } from '../../screen/sequences/shell-marks.ts';

export interface ShellEvidence {
  /** `prompt`: at its prompt. `command`: it runs one. */
  at: 'prompt' | 'command';
  sinceInput: boolean;
  /** The session's own shell: where it runs a command, that says nothing of other processes. */
  ownPid?: number;
  /** Told by something that runs within the session's own shell. */
  isWithin?: true;
  /** Enter was pressed since, and it has neither run anything nor marked a new prompt: it wants more. */
  isContinued?: true;
}

export const shellEvidence = (
  screen: Screen,
  inputPosition: number,
  leaderPid?: number,
  isEntered = false,
): ShellEvidence | undefined => {
  const { ownMark, lastMark } = screen;
  if (lastMark === undefined) return undefined;
  if (ownMark === undefined) return fromMark(lastMark, inputPosition);
  const own = { ...(leaderPid !== undefined && { ownPid: leaderPid }) };
  const told = fromMark(ownMark, inputPosition);
  const isContinued = told.at === 'prompt' && !told.sinceInput && isEntered;
  const isWithin = ownMark.mark === 'output' && lastMark.position > ownMark.position;
  return isWithin && fromMark(lastMark, inputPosition).at === 'prompt'
    ? { ...fromMark(lastMark, inputPosition), ...own, isWithin }
    : { ...told, ...own, ...(isContinued && { isContinued }) };
};

const fromMark = ({ mark, position }: PlacedMark, inputPosition: number): ShellEvidence => ({
  // After `done` the shell has still to draw its prompt, and may have much to do for that.
  at: mark === 'prompt' || mark === 'input' ? 'prompt' : 'command',
  sinceInput: position > inputPosition,
});
