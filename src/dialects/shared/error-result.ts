/** Turns an error thrown on purpose into a result that the model can read. */
import type { TerminalError } from '../../errors.ts';
import type { ToolResult } from '../tool.ts';

export const toolResultOfError = ({ code, message }: TerminalError): ToolResult => ({
  text: `${message} [${code}]`,
  failed: true,
  code,
});
