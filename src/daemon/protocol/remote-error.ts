/** Errors of ours on the wire: `{code, message, details}`, and the same errors again behind it. */
import * as errors from '../../errors.ts';
import { RpcError, rpcErrorCodes } from './rpc-peer.ts';

interface WireErrorData {
  code: string;
  details: Readonly<Record<string, unknown>>;
}

/** Other errors are sent as internal ones, by their message. */
export const toRpcError = (error: unknown): unknown => {
  if (!(error instanceof errors.TerminalError)) return error;
  const { code, message, details } = error;
  const data: WireErrorData = { code, details };
  return new RpcError(rpcErrorCodes.applicationError, message, data);
};

export const restoreError = (rpcError: RpcError): Error => {
  const data = rpcError.data as WireErrorData | undefined;
  const error = new Error(rpcError.message);
  const errorClass = data && classes.get(data.code);
  if (errorClass === undefined) return error;
  // The constructors cannot be called: they take arguments of their own, not a finished message.
  Object.setPrototypeOf(error, errorClass.prototype);
  return Object.assign(error, { code: data!.code, details: data!.details });
};

/** SessionNotFound has the code `SESSION_NOT_FOUND`. */
const codeOf = (name: string) => name.replace(/(?<!^)([A-Z])/g, '_$1').toUpperCase();

const classes = new Map(
  Object.values(errors)
    .filter((errorClass) => errorClass.prototype instanceof errors.TerminalError)
    .map((errorClass) => [codeOf(errorClass.name), errorClass]),
);
