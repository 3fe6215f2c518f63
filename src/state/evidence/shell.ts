/** What a shell with marks says of itself (OSC 133 and 633). */
import type { Screen } from '../../screen/screen.ts';

export interface ShellEvidence {
  /** `prompt`: at its prompt. `command`: it runs one. */
  at: 'prompt' | 'command';
  sinceInput: boolean;
}

export const shellEvidence = (screen: Screen, inputPosition: number): ShellEvidence | undefined => {
  const last = screen.lastMark;
  if (last === undefined) return undefined;
  // After `done` the shell has still to draw its prompt, and may have much to do for that.
  const at = last.mark === 'prompt' || last.mark === 'input' ? 'prompt' : 'command';
  return { at, sinceInput: last.position > inputPosition };
};
