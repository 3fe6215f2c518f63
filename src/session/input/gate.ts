/**
 * Asked before a program is started and before anything is typed. Without one, everything is.
 *
 * A server sets it, which has a policy. The library's guard is asked first.
 */
import type { InputWrite } from '../../keys/input-writes.ts';
import type { WaitingFor } from '../../state/verdict.ts';
import type { Actor } from '../caller.ts';
import { ifDefined } from '../options/if-defined.ts';
import type { CallOptions } from '../sessions.ts';
import type { Asking } from './approval.ts';
import type { ScreenLook } from './screen-look.ts';

export interface Gate {
  /** The profile of the sandbox that a new session has at least. Undefined: none. */
  leastSandbox(): Promise<string | undefined>;
  /** Throws if the program may not be started. */
  beforeOpen(opening: GatedOpening): Promise<void>;
  inputOf(session: GatedSession): InputGate;
}

export interface GatedOpening {
  session: string;
  command: readonly string[];
  cwd: string;
  /** The shell command, if the program is a shell that runs just this one. */
  run?: string | undefined;
  actor: Actor;
  asking: Asking;
}

/** What can be known of a session when somebody types. */
export interface GatedSession {
  name(): string;
  reader(): LineReader;
  /** The folder of the program in the foreground. */
  cwd(): string | undefined;
  /** What a person sees, without secrets. */
  screen(): string;
  /** How the screen looks, and which rows change by themselves. */
  look(): ScreenLook;
  /** The text without secrets that were typed here. */
  masked(text: string): string;
  /** Called when the state that `snapshot` returns has changed, and nothing was typed. */
  onHeld(): void;
}

/** Who will read what is typed now. */
export interface LineReader {
  /** Where the output is: it moves with everything that the program shows. */
  position: number;
  /** How often something was typed until now. */
  inputs: number;
  /** Absent if the program does not wait: then another may read what is typed. */
  program?: string | undefined;
  waitingFor?: WaitingFor | undefined;
  prompt?: string | undefined;
  /** The kernel collects lines, and edits them. */
  isCanonical: boolean;
  isFullScreen: boolean;
}

export interface GatedInput {
  writes: readonly InputWrite[];
  actor: Actor;
  /** The command, if the writes run one. */
  run?: string | undefined;
  /** The name of the secret, if they are one. */
  secret?: string | undefined;
  /** Given for the same input before. */
  approval?: Approval | undefined;
}

export interface InputGate {
  /** Whether a person may be asked about something that is typed here. */
  readonly mayAsk: boolean;
  /** Whether anything may be held or refused. If not, `pass` need not be called. */
  concerns(actor: Actor): boolean;
  /**
   * What may be typed now, with what was held before: nothing if all of it is held. Throws if it is refused,
   * and ApprovalNeeded if a person must be asked.
   */
  pass(input: GatedInput): Promise<readonly InputWrite[]>;
  /** Text that was not typed yet, since its line is not finished. */
  readonly held: string;
  /** For the process that goes on with the session. Undefined if there is nothing to know. */
  snapshot(): string | undefined;
  restore(snapshot: string): void;
}

/** For what a person has allowed. Only the gate that made it knows what that is. */
export interface Approval {
  readonly binding: string;
}

/**
 * Thrown instead of typing: a person must be asked first. Others can type meanwhile, and no time limit of
 * the call runs.
 */
export class ApprovalNeeded extends Error {
  readonly ask: (asking: Asking) => Promise<Approval>;

  constructor(ask: ApprovalNeeded['ask']) {
    super('a person must be asked');
    this.ask = ask;
  }
}

/** Types, and asks a person before that as often as it is necessary. */
export const withApproval = async <T>(
  type: (approval?: Approval) => Promise<T>,
  call: CallOptions,
): Promise<T> => {
  const { signal, askUser, onAsking } = call;
  let approval: Approval | undefined;
  for (;;) {
    try {
      return await type(approval);
    } catch (error) {
      if (!(error instanceof ApprovalNeeded)) throw error;
      const asked = error.ask({ ...ifDefined('signal', signal), ...ifDefined('askUser', askUser) });
      onAsking?.(asked);
      approval = await asked;
    }
  }
};

/** What was held comes before what is typed now. */
export const withTextBefore = (text: string, writes: readonly InputWrite[]): InputWrite[] => {
  const bytes = Buffer.from(text);
  const [first, ...rest] = writes;
  if (first?.kind !== 'text') return [{ kind: 'text', bytes }, ...writes];
  return [{ kind: 'text', bytes: Buffer.concat([bytes, first.bytes]) }, ...rest];
};
