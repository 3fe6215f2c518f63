/** An error thrown on purpose, as an answer for the model that caused it. */
import type { TerminalError } from '../../errors.ts';
import type { Answer } from '../tool.ts';

export const failure = ({ code, message }: TerminalError): Answer => ({
  text: `${message} [${code}]`,
  failed: true,
});
