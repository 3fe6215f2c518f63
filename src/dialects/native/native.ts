/** Repartee's own dialect: eight tools. */
import { TerminalError } from '../../errors.ts';
import type { Sessions } from '../../session/sessions.ts';
import { errorResult } from '../shared/error-result.ts';
import type { Dialect, Tool } from '../tool.ts';
import type { PersonAnswers } from './text.ts';
import { nativeTools } from './tools.ts';

export interface NativeOptions {
  /** @default a sentence that tells the model to stop and name the program */
  personAnswers?: PersonAnswers;
}

export const native = (
  sessions: Sessions,
  {
    personAnswers = () => 'Otherwise tell the user which program asks, and stop here.',
  }: NativeOptions = {},
): Dialect => ({
  name: 'native',
  tools: nativeTools(sessions, personAnswers).map(withErrorResult),
  async close() {},
});

/** An error thrown on purpose becomes a result, so that the model can read it and correct itself. */
const withErrorResult = (tool: Tool): Tool => ({
  ...tool,
  async run(args, call) {
    try {
      return await tool.run(args, call);
    } catch (error) {
      if (error instanceof TerminalError) return errorResult(error);
      throw error;
    }
  },
});
