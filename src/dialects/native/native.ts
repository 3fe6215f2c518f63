/** Repartee's own tools: eight, named and shaped as the specification says. */
import { TerminalError } from '../../errors.ts';
import type { Sessions } from '../../session/sessions.ts';
import { errorResult } from '../shared/error-result.ts';
import type { Dialect, Tool } from '../tool.ts';
import type { PersonAnswers } from './text.ts';
import { nativeTools } from './tools.ts';

export interface NativeOptions {
  personAnswers?: PersonAnswers;
}

export const native = (
  sessions: Sessions,
  {
    personAnswers = () => 'Otherwise tell the user which program asks, and stop here.',
  }: NativeOptions = {},
): Dialect => ({
  name: 'native',
  tools: nativeTools(sessions, personAnswers).map(answering),
  async close() {},
});

/** What went wrong on purpose is an answer: the model is to read it and do better. */
const answering = (tool: Tool): Tool => ({
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
