/** Turns `{code, message, details}` from the socket back into an error of the original class. */
import * as errors from '../../errors.ts';
import type { RpcError } from '../client/rpc-client.ts';

export interface WireErrorData {
  code: string;
  details: Readonly<Record<string, unknown>>;
}

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
