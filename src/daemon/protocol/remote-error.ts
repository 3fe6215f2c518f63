/** Errors cross the socket as `{code, message, details}`, and are the same errors again behind it. */
import * as errors from '../../errors.ts';
import type { RpcError } from '../client/rpc-client.ts';

export interface ErrorData {
  code: string;
  details: Readonly<Record<string, unknown>>;
}

export const fromRpcError = (refusal: RpcError): Error => {
  const data = refusal.data as ErrorData | undefined;
  const crossed = new Error(refusal.message);
  const kind = data && classes.get(data.code);
  if (kind === undefined) return crossed;
  // The constructors take what an error is about, not what it says: there is nothing to call.
  Object.setPrototypeOf(crossed, kind.prototype);
  return Object.assign(crossed, { code: data!.code, details: data!.details });
};

/** `SESSION_NOT_FOUND` is the code of SessionNotFound. */
const codeOf = (name: string) => name.replace(/(?<!^)([A-Z])/g, '_$1').toUpperCase();

const classes = new Map(
  Object.values(errors)
    .filter((kind) => kind.prototype instanceof errors.TerminalError)
    .map((kind) => [codeOf(kind.name), kind]),
);
