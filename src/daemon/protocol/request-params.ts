/** The parameters of every request, as data: their types (protocol.ts) and their check come from it. */

import type { ClientProgram, Door } from '../../session/caller.ts';
import {
  closeFields,
  readFields,
  secretFields,
  sendFields,
  sizeFields,
  waitFields,
} from '../../session/options/calls.ts';
import {
  boolean,
  type Field,
  number,
  numbers,
  type ObjectField,
  object,
  options,
  string,
  strings,
} from '../../session/options/fields.ts';
import { openRequestFields, runRequestFields } from '../../session/options/requests.ts';
import type { SessionEvent } from '../../session/sessions.ts';
import type { WaitingFor } from '../../state/verdict.ts';
import type { DaemonMethod, SizeRule, WireBytes } from './protocol.ts';

const client: ObjectField<ClientProgram> = object({ name: string }, { version: string });

/** Who makes the call. */
export const callerFields = {
  actor: string,
  reader: string,
  /** For which it is made, if a client serves several. */
  program: client,
  /** The token of `progress` notifications. Absent if the caller does not want them. */
  progress: number,
  /** The token of `question` notifications. Absent if nobody can be asked. */
  asks: number,
};

const sandbox = options({ profile: string, workspace: string });
const eventTypes: Field<readonly SessionEvent['type'][]> = { type: 'strings' };
const bytes: Field<WireBytes> = { type: 'bytes' };
const door: Field<Door> = { type: 'string' };
const rule: Field<SizeRule> = { type: 'string' };
const session = string;
const none = options({});
const ofSession = object({ session }, callerFields);

const waitingFor: Field<WaitingFor> = { type: 'string' };
const outsideInput = object(
  {
    session,
    position: number,
    inputs: number,
    isCanonical: boolean,
    isFullScreen: boolean,
    screen: string,
    look: object(
      { rows: strings, isAlternate: boolean, top: number, marked: strings, restless: numbers },
      { cursor: object({ col: number, row: number }, {}) },
    ),
    bytes,
    isPaste: boolean,
  },
  {
    cwd: string,
    program: string,
    waitingFor,
    prompt: string,
    run: string,
    state: string,
    approval: string,
    isAsking: boolean,
  },
);

/** Which events a subscriber gets. */
export const filterFields = { session, types: eventTypes };

export const identityFields = object(
  {
    /** Random, and the same on all its connections. */
    id: string,
    /** The requests for whose answers it still waits. */
    pending: numbers,
    /** The number of the last event that it has got, or 0. */
    lastEvent: number,
  },
  {},
);

export const requestParams = {
  hello: object(
    // All that a client of protocol 1 says.
    { protocol: number, version: string },
    {
      protocols: object({ oldest: number, newest: number }, {}),
      // A client of version 0.1.0 does not say it.
      caller: object({ door }, { client, person: boolean, sandbox }),
      client: identityFields,
    },
  ),
  status: none,
  retire: none,
  stop: none,
  // `path`: of the client's own daemon, in case it is the newer one.
  restart: options({ version: string, path: string }),

  open: object({ request: openRequestFields }, callerFields),
  // The client has already looked up the secret by its name.
  send: object({ session, input: options({ ...sendFields, secret: secretFields }) }, callerFields),
  run: object({ request: runRequestFields }, callerFields),
  type: object({ session, bytes }, callerFields),
  take: ofSession,
  giveBack: ofSession,
  read: object({ session, options: options(readFields) }, callerFields),
  wait: object({ options: options(waitFields) }, callerFields),
  list: none,
  resize: object({ session, ...sizeFields }, {}),
  rename: object({ session, to: string }, {}),
  attach: object({ session, ...sizeFields }, { rule }),
  detach: object({ session }, {}),
  signal: object({ session, signal: string }, {}),
  close: object({ session, options: options(closeFields) }, {}),
  closeAll: object({ options: options(closeFields) }, {}),
  subscribe: object({ subscription: number }, filterFields),
  unsubscribe: object({ subscription: number }, {}),
  approvals: object({}, { after: number }),
  answer: object({ id: number, answer: string }, {}),
  answerAsUser: object({ id: number, answer: string }, {}),
  switchPolicyOff: none,
  verifyAudit: none,
  leastSandbox: none,
  permitOpen: object(
    { name: string, command: strings, cwd: string },
    { run: string, ...callerFields },
  ),
  permitInput: object({ input: outsideInput }, callerFields),
} as const satisfies Record<DaemonMethod, ObjectField<unknown>>;
