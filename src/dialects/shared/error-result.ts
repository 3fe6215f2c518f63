/** An error thrown on purpose, as an answer for the model that caused it. */
import type { TerminalError } from '../../errors.ts';
import type { ToolResult } from '../tool.ts';

export const errorResult = ({ code, message }: TerminalError): ToolResult => ({
  text: `${message} [${code}]`,
  failed: true,
});
