/** Runs tools whose results are JSON objects, errors included. */
import type { CallOptions } from '../../session/sessions.ts';
import type { Tool } from '../tool.ts';
import { type ToolArguments, toToolArguments } from './read-arguments.ts';

export interface JsonToolOptions {
  /** The result for an error. Rethrows what is not for the agent. */
  errorObject: (error: unknown, call: CallOptions) => object;
  /** Spaces per level in the text. @default 0 */
  indent?: number;
}

export const runToolAsJson =
  (
    run: (args: ToolArguments, call: CallOptions) => Promise<object>,
    { errorObject, indent = 0 }: JsonToolOptions,
  ): Tool['run'] =>
  async (args, call) => {
    let result: object;
    try {
      result = await run(toToolArguments(args), call);
    } catch (error) {
      result = errorObject(error, call);
    }
    return { text: JSON.stringify(result, undefined, indent), structured: { ...result } };
  };
