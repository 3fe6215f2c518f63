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
  const at = last.mark === 'output' ? 'command' : 'prompt';
  return { at, sinceInput: last.position > inputPosition };
};
