/** What the policy knows of a session's input, between one call and the next. */
import { emptyLine, type LineInProgress } from './typed-lines.ts';

export interface InputState {
  /** Not typed yet. */
  held: string;
  /** The name of the actor whose text is held. */
  heldBy?: string;
  /** What stands on the line, with what is held. */
  line: LineInProgress;
  /** What the program has of it. */
  typed: LineInProgress;
  /** Lines of a command whose end the shell has not got. */
  unfinished?: string;
}

export const nothingTyped: InputState = { held: '', line: emptyLine, typed: emptyLine };

/** What was held is not typed. */
export const withoutHeld = (state: InputState): InputState => {
  const { typed, unfinished } = state;
  const isEmpty = typed.text === '' && !typed.isUnknown && unfinished === undefined;
  return isEmpty ? nothingTyped : { ...state, held: '', line: typed };
};
