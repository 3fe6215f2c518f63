/** What a person's approval is for, so that a `y` for one question never answers the next. */
import type { Approval, LineReader } from '../../../session/input/gate.ts';
import { asksTheSame, type ScreenLook } from '../../../session/input/screen-look.ts';

/** If any of this changes before it is typed, a person is asked anew. */
export interface Binding {
  question: readonly (string | number | undefined)[];
  waitingFor: LineReader['waitingFor'];
  /** Or, if the program has drawn since, how the screen looks. */
  position: number;
  look: ScreenLook;
}

export const bindingIn = ({ binding }: Approval): Binding => JSON.parse(binding);

export const stillBinds = (approval: Approval, now: Binding): boolean => {
  const { question, waitingFor, position, look } = bindingIn(approval);
  if (JSON.stringify(question) !== JSON.stringify(now.question)) return false;
  if (waitingFor !== now.waitingFor) return false;
  return position === now.position || asksTheSame(look, now.look);
};
