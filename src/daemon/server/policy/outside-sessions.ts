/**
 * The policy for sessions that a client keeps in its own process: the client asks before each start and each
 * input. Nothing of such a session is kept here but what a person has allowed for the rest of it.
 */
import { actorOf } from '../../../session/caller.ts';
import { ApprovalNeeded, type GatedInput, type GatedSession } from '../../../session/input/gate.ts';
import type { CallOptions } from '../../../session/sessions.ts';
import type { OutsideInput, OutsideInputAnswer } from '../../protocol/gated-input.ts';
import { fromWireBytes, type MethodParams } from '../../protocol/protocol.ts';
import type { AuditLog } from './audit-log.ts';
import { PolicyInputGate } from './input-gate.ts';
import type { PolicyGate } from './policy-gate.ts';

export class OutsideSessions {
  readonly #makeGate: () => PolicyGate;
  readonly #audit: AuditLog;
  /** By client: two of them may have sessions of the same name. */
  readonly #gates = new WeakMap<object, PolicyGate>();

  constructor(makeGate: () => PolicyGate, audit: AuditLog) {
    this.#makeGate = makeGate;
    this.#audit = audit;
  }

  leastSandbox(client: object): Promise<string | undefined> {
    return this.#gateOf(client).leastSandbox();
  }

  /** Throws if the program may not be started. */
  async permitOpen(
    client: object,
    { name: session, command, cwd, run }: MethodParams<'permitOpen'>,
    call: CallOptions,
  ): Promise<void> {
    const actor = actorOf(call);
    await this.#gateOf(client).beforeOpen({ session, command, cwd, run, actor, asking: call });
    const text = run ?? command.join(' ');
    this.#audit.add({ what: 'start', session, caller: actor.caller, text });
  }

  /** Throws if it may not be typed. */
  async permitInput(
    client: object,
    input: OutsideInput,
    call: CallOptions,
  ): Promise<OutsideInputAnswer> {
    const actor = actorOf(call);
    const gate = new PolicyInputGate(gatedSession(input), this.#gateOf(client));
    if (input.state !== undefined) gate.restore(input.state);
    const text = gate.held;
    const { run, approval, isPaste } = input;
    const bytes = Buffer.from(fromWireBytes(input.bytes));
    const gated: GatedInput = {
      writes: [{ kind: isPaste ? 'paste' : 'text', bytes }],
      actor,
      run,
      ...(approval !== undefined && { approval: { binding: approval } }),
    };
    try {
      const writes = await gate.pass(gated);
      const state = gate.snapshot();
      const answer = state === undefined ? {} : { state };
      if (writes.length === 0) return { then: 'hold', ...answer };
      const isHidden = input.waitingFor === 'secret';
      this.#audit.add({
        what: 'input',
        session: input.session,
        actor,
        ...(isHidden ? { hidden: true } : { text: `${text}${bytes}` }),
      });
      return { then: 'type', text, ...answer };
    } catch (error) {
      if (!(error instanceof ApprovalNeeded)) throw error;
      if (!input.isAsking) return { then: 'ask', ...(input.state && { state: input.state }) };
      const { binding } = await error.ask(call);
      return { then: 'approved', approval: binding };
    }
  }

  #gateOf(client: object): PolicyGate {
    const gate = this.#gates.get(client) ?? this.#makeGate();
    this.#gates.set(client, gate);
    return gate;
  }
}

const gatedSession = (input: OutsideInput): GatedSession => ({
  name: () => input.session,
  reader: () => input,
  cwd: () => input.cwd,
  screen: () => input.screen,
  look: () => input.look,
  masked: (text) => text,
  onHeld: () => {},
});
