/** An error as it is sent over the socket. */
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { TerminalError } from '../../errors.ts';
import type { WireErrorData } from '../protocol/remote-error.ts';

export const toErrorResponse = (error: unknown): ResponseError<WireErrorData | undefined> => {
  if (error instanceof TerminalError) {
    const { code, message, details } = error;
    return new ResponseError(ErrorCodes.UnknownErrorCode, message, { code, details });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new ResponseError(ErrorCodes.InternalError, message, undefined);
};
