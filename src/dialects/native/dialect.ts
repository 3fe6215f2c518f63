/** Repartee's own dialect: eight tools. */
import type { Sessions } from '../../session/sessions.ts';
import type { Dialect } from '../tool.ts';
import type { MakeSecretAdvice } from './hints.ts';
import { nativeTools } from './tools.ts';

export interface NativeOptions {
  /** @default a sentence that tells the model to stop and name the program */
  personAnswers?: MakeSecretAdvice;
}

export const native = (
  sessions: Sessions,
  {
    personAnswers = () => 'Otherwise tell the user which program asks, and stop here.',
  }: NativeOptions = {},
): Dialect => ({
  name: 'native',
  tools: nativeTools(sessions, personAnswers),
  async close() {},
});
