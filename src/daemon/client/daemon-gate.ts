/**
 * The daemon's policy before sessions that are kept in this process. Where there is a policy, the daemon is
 * asked before each start and each input; without an answer nothing is started or typed.
 */
import { existsSync } from 'node:fs';
import type { InputWrite } from '../../keys/input-writes.ts';
import { type InputState, nothingTyped, withoutHeld } from '../../policy/input-state.ts';
import type { Actor } from '../../session/caller.ts';
import type { Asking } from '../../session/input/approval.ts';
import {
  ApprovalNeeded,
  type Gate,
  type GatedInput,
  type GatedOpening,
  type GatedSession,
  type InputGate,
  withTextBefore,
} from '../../session/input/gate.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import type { CallOptions } from '../../session/sessions.ts';
import { policyPath } from '../protocol/daemon-paths.ts';
import type { OutsideInput } from '../protocol/gated-input.ts';
import { asPlainBytes } from '../protocol/json-with-bytes.ts';
import type { DaemonSessions } from './daemon-sessions.ts';

export class DaemonGate implements Gate {
  readonly #daemon: DaemonSessions;

  constructor(daemon: DaemonSessions) {
    this.#daemon = daemon;
  }

  async leastSandbox(): Promise<string | undefined> {
    return thereIsPolicy() ? this.#daemon.leastSandbox() : undefined;
  }

  async beforeOpen({ actor, asking, session, command, cwd, run }: GatedOpening): Promise<void> {
    if (!thereIsPolicy()) return;
    const opening = { name: session, command, cwd, ...ifDefined('run', run) };
    await this.#daemon.permitOpen(opening, callOf(actor, asking));
  }

  inputOf(session: GatedSession): InputGate {
    return new DaemonInputGate(session, this.#daemon);
  }
}

class DaemonInputGate implements InputGate {
  readonly #session: GatedSession;
  readonly #daemon: DaemonSessions;
  #state: InputState = nothingTyped;

  constructor(session: GatedSession, daemon: DaemonSessions) {
    this.#session = session;
    this.#daemon = daemon;
  }

  get held(): string {
    return this.#state.held;
  }

  get mayAsk(): boolean {
    return thereIsPolicy();
  }

  concerns(): boolean {
    return this.#state !== nothingTyped || thereIsPolicy();
  }

  snapshot(): string | undefined {
    return this.#state === nothingTyped ? undefined : JSON.stringify(this.#state);
  }

  restore(snapshot: string): void {
    this.#state = JSON.parse(snapshot);
  }

  async pass({ writes, actor, run, approval }: GatedInput): Promise<readonly InputWrite[]> {
    const input = this.#describe(writes, run);
    // Absent if nobody was asked, since it was allowed meanwhile.
    const asked = { ...input, ...(approval?.binding && { approval: approval.binding }) };
    const answer = await this.#ask(asked, callOf(actor));
    if (answer.then === 'ask')
      throw new ApprovalNeeded(async (asking) => {
        const given = await this.#ask({ ...input, isAsking: true }, callOf(actor, asking));
        return { binding: given.then === 'approved' ? given.approval : NOBODY_ASKED };
      });
    if (answer.then === 'hold') {
      this.#session.onHeld();
      return [];
    }
    const text = answer.then === 'type' ? answer.text : '';
    return text === '' ? writes : withTextBefore(text, writes);
  }

  /** What is refused is not typed, nor what was held before it. */
  async #ask(input: OutsideInput, call: CallOptions) {
    try {
      const answer = await this.#daemon.permitInput(input, call);
      // While a person is asked, nothing is typed.
      if (answer.then !== 'approved' && !input.isAsking)
        this.#state = answer.state === undefined ? nothingTyped : JSON.parse(answer.state);
      return answer;
    } catch (error) {
      this.#state = withoutHeld(this.#state);
      this.#session.onHeld();
      throw error;
    }
  }

  #describe(writes: readonly InputWrite[], run: string | undefined): OutsideInput {
    const { position, inputs, program, waitingFor, prompt, isCanonical, isFullScreen } =
      this.#session.reader();
    return {
      session: this.#session.name(),
      ...ifDefined('cwd', this.#session.cwd()),
      position,
      inputs,
      ...ifDefined('program', program),
      ...ifDefined('waitingFor', waitingFor),
      ...ifDefined('prompt', prompt),
      isCanonical,
      isFullScreen,
      screen: this.#session.screen(),
      look: this.#session.look(),
      bytes: asPlainBytes(Buffer.concat(writes.map(({ bytes }) => bytes))),
      isPaste: writes.some(({ kind }) => kind === 'paste'),
      ...ifDefined('run', run),
      ...ifDefined('state', this.snapshot()),
    };
  }
}

const NOBODY_ASKED = '';

/** A policy can be written, or removed, at any time. */
const thereIsPolicy = (): boolean => existsSync(policyPath());

const callOf = ({ name: actor, caller }: Actor, asking: Asking = {}): CallOptions => ({
  actor,
  caller,
  ...asking,
});
