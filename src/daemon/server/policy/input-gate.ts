/**
 * Holds what is typed into one session to the policy.
 *
 * A rule is about whole lines, so text is held until its Enter, if a rule may fit the program that would get
 * it. Keys whose effect on the line only the program knows are typed at once, with what was held; the Enter
 * after them is judged as a line that is not known.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { InputWrite } from '../../../keys/input-writes.ts';
import { rulesConcerning } from '../../../policy/concerning-rules.ts';
import { findCommandsInScript } from '../../../policy/find-commands.ts';
import { type InputState, nothingTyped, withoutHeld } from '../../../policy/input-state.ts';
import type { Decision, PolicyAction } from '../../../policy/judge-action.ts';
import type { Policy } from '../../../policy/policy.ts';
import {
  type LineInProgress,
  readTypedLines,
  type TypedLines,
} from '../../../policy/typed-lines.ts';
import { relays, shells } from '../../../policy/wrappers.ts';
import type { Actor } from '../../../session/caller.ts';
import {
  type Approval,
  ApprovalNeeded,
  type GatedInput,
  type GatedSession,
  type InputGate,
  type LineReader,
  withTextBefore,
} from '../../../session/input/gate.ts';
import { type Binding, bindingIn, stillBinds } from './approval-binding.ts';
import { type PolicyGate, policyActor } from './policy-gate.ts';

/** A here-document can be long; beyond this its beginning is forgotten. */
const MAX_UNFINISHED_CHARACTERS = 64 * 1024;
/** What a person is shown of a long paste. */
const MAX_SHOWN_CHARACTERS = 4000;
/** How long a program that draws does so at most; somebody waits to type. */
const READER_MS = 50;
/** A person has approved it, and need not be asked again only because the machine is busy. */
const APPROVED_READER_MS = 1000;
const READER_STEP_MS = 5;

export class PolicyInputGate implements InputGate {
  readonly #session: GatedSession;
  readonly #gate: PolicyGate;
  #state: InputState = nothingTyped;
  /** The file of the policy was looked at just now, and `pass` need not do it again. */
  #isLatest = false;

  constructor(session: GatedSession, gate: PolicyGate) {
    this.#session = session;
    this.#gate = gate;
  }

  get held(): string {
    return this.#state.held;
  }

  get mayAsk(): boolean {
    return this.#gate.mayAskAboutTyping;
  }

  concerns(actor: Actor): boolean {
    this.#isLatest = !this.#gate.needsAttention;
    if (!this.#isLatest || this.#state !== nothingTyped) return true;
    return this.#gate.concernsTyping(actor);
  }

  snapshot(): string | undefined {
    return this.#state === nothingTyped ? undefined : JSON.stringify(this.#state);
  }

  restore(snapshot: string): void {
    this.#state = JSON.parse(snapshot);
  }

  async pass(input: GatedInput): Promise<readonly InputWrite[]> {
    const policy = this.#isLatest ? this.#gate.latest : await this.#gate.current();
    this.#isLatest = false;
    const current = this.#session.reader();
    const isSettled = input.approval === undefined && current.waitingFor !== undefined;
    const reader = isSettled ? current : await this.#waitingReader(input.approval);
    if (input.run !== undefined) return this.#passRun(policy, input, input.run, reader);
    if (input.secret !== undefined) return this.#passSecret(policy, input, reader);
    const typed = Buffer.concat(input.writes.map(({ bytes }) => bytes)).toString();
    // Full-screen programs read keys, also while they draw.
    const isKeys =
      reader.waitingFor === 'key' || (reader.waitingFor === undefined && reader.isFullScreen);
    const { held, heldBy } = this.#state;
    if (held !== '' && heldBy !== input.actor.name)
      return this.#passBeside(policy, input, typed, reader);
    const next = readTypedLines(this.#state.line, typed, {
      isCanonical: reader.isCanonical || isKeys,
    });
    const mayFit = this.#mayFit(policy, reader, input.actor);
    if (mayFit && isKeys) this.#judge(policy, input, reader, keysAsLines(next, typed));
    else if (mayFit && next.lines.length > 0) this.#judge(policy, input, reader, next);
    else if (mayFit && isHeld(next)) return this.#hold(typed, next.rest, input.actor);
    return this.#release(input.writes, next, reader);
  }

  /** A program that draws now and then does not wait in between, and does again in a moment. */
  async #waitingReader(approval: Approval | undefined): Promise<LineReader> {
    const asked = approval && bindingIn(approval).waitingFor;
    const deadline = performance.now() + (approval === undefined ? READER_MS : APPROVED_READER_MS);
    for (;;) {
      const reader = this.#session.reader();
      const isSettled =
        approval === undefined ? reader.waitingFor !== undefined : reader.waitingFor === asked;
      if (isSettled || performance.now() > deadline) return reader;
      await delay(READER_STEP_MS);
    }
  }

  /** Whether a rule that asks or denies may fit what is typed into this program. */
  #mayFit(policy: Policy, { program }: LineReader, actor: Actor): boolean {
    const circumstances = this.#circumstances(policy, actor);
    const action = { ...circumstances, act: 'type', foreground: program } as const;
    return rulesConcerning(policy, action).rules.length > 0;
  }

  /** Another actor types: what is held waits on, and comes after that on the line. */
  #passBeside(
    policy: Policy,
    input: GatedInput,
    typed: string,
    reader: LineReader,
  ): readonly InputWrite[] {
    const { isCanonical } = reader;
    const before = this.#state;
    const next = readTypedLines(before.typed, typed, { isCanonical });
    if (next.lines.length > 0 && this.#mayFit(policy, reader, input.actor))
      this.#judge(policy, input, reader, next, '');
    const { rest: line } = readTypedLines(next.rest, before.held, { isCanonical });
    this.#state = { ...before, typed: next.rest, line };
    return input.writes;
  }

  #hold(typed: string, line: LineInProgress, { name: heldBy }: Actor): InputWrite[] {
    this.#state = { ...this.#state, held: this.#state.held + typed, heldBy, line };
    this.#session.onHeld();
    return [];
  }

  /** Notes what the program has on its line when all of this is typed. */
  #release(writes: readonly InputWrite[], { lines, rest }: TypedLines, reader: LineReader) {
    const { held, unfinished: before } = this.#state;
    const unfinished = isForShell(reader) ? unfinishedCommand(before, lines) : undefined;
    const isEmpty = rest.text === '' && !rest.isUnknown && unfinished === undefined;
    this.#state = isEmpty
      ? nothingTyped
      : { held: '', line: rest, typed: rest, ...(unfinished !== undefined && { unfinished }) };
    return held === '' ? writes : withTextBefore(held, writes);
  }

  #passRun(
    policy: Policy,
    { writes, actor, approval }: GatedInput,
    run: string,
    reader: LineReader,
  ) {
    const { program } = reader;
    const action: PolicyAction = {
      ...this.#circumstances(policy, actor),
      act: 'run',
      command: run,
      foreground: program,
      isInteractive: true,
    };
    this.#permit(policy, action, { actor, approval, reader, what: run });
    this.#state = nothingTyped;
    return writes;
  }

  #passSecret(policy: Policy, { writes, actor, approval, secret }: GatedInput, reader: LineReader) {
    const action: PolicyAction = {
      ...this.#circumstances(policy, actor),
      act: 'type',
      lines: [],
      foreground: reader.program,
      isForShell: false,
      isSecret: true,
    };
    this.#permit(policy, action, { actor, approval, reader, what: `the secret ${secret}` });
    return writes;
  }

  #circumstances({ usesFolders }: Policy, actor: Actor) {
    // The folder costs a question to the kernel.
    const cwd = usesFolders ? this.#session.cwd() : undefined;
    return { session: this.#session.name(), cwd, actor: policyActor(actor) };
  }

  /** A shell starts other programs: which of them gets the second line is not known. */
  #judge(
    policy: Policy,
    input: GatedInput,
    reader: LineReader,
    { lines }: TypedLines,
    /** Typed with it, before it. */
    held = this.#state.held,
  ): void {
    const { actor, approval, writes } = input;
    const [first, ...others] = lines;
    const common = { ...this.#circumstances(policy, actor), act: 'type' } as const;
    const { unfinished } = this.#state;
    const forReader = {
      ...common,
      foreground: reader.program,
      isForShell: isForShell(reader),
      ...(unfinished !== undefined && { unfinished }),
    };
    const isOnePaste = writes.some(({ kind }) => kind === 'paste');
    const isAllForReader = isOnePaste || others.length === 0;
    const actions: PolicyAction[] = isAllForReader
      ? [{ ...forReader, lines }]
      : [
          { ...forReader, lines: [first!] },
          // Also what begins in the first line may end in the others.
          { ...common, lines, isForShell: true, ...(unfinished !== undefined && { unfinished }) },
        ];
    const bytes = Buffer.concat(writes.map((write) => write.bytes)).toString();
    const what = held + bytes;
    for (const action of actions) this.#permit(policy, action, { actor, approval, reader, what });
  }

  #permit(
    policy: Policy,
    action: PolicyAction,
    {
      actor,
      approval,
      reader,
      what,
    }: Pick<GatedInput, 'actor' | 'approval'> & { reader: LineReader; what: string },
  ): void {
    const isHidden = reader.waitingFor === 'secret';
    const decision = this.#judgeOrDrop(policy, action, actor, isHidden);
    if (decision.outcome !== 'ask') return;
    const bound = this.#bindingOf(decision, reader, what);
    if (approval !== undefined && stillBinds(approval, bound)) return;
    const { program: foreground, prompt } = reader;
    const shown = isHidden ? '(hidden)' : showKeys(this.#session.masked(what));
    const situation = { what: shown, foreground, prompt, screen: this.#session.screen() };
    const asked = isHidden ? { ...decision, about: '(hidden)' } : decision;
    throw new ApprovalNeeded(async (asking) => {
      try {
        await this.#gate.ask(action, asked, actor, situation, asking);
      } catch (error) {
        this.#drop();
        throw error;
      }
      return { binding: JSON.stringify(bound) };
    });
  }

  #judgeOrDrop(policy: Policy, action: PolicyAction, actor: Actor, isHidden: boolean): Decision {
    try {
      return this.#gate.judge(policy, action, actor, isHidden);
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  /** What was held is not typed, and the agent is told so by the refusal. */
  #drop(): void {
    this.#state = withoutHeld(this.#state);
    this.#session.onHeld();
  }

  #bindingOf({ rule }: Decision, reader: LineReader, what: string): Binding {
    const { position, inputs, program, prompt, waitingFor } = reader;
    const session = this.#session.name();
    return {
      question: [session, rule?.number, what, program, prompt, inputs],
      waitingFor,
      position,
      look: this.#session.look(),
    };
  }
}

const isForShell = ({ program, waitingFor }: LineReader): boolean =>
  program === undefined || waitingFor === 'command' || shells.has(program) || relays.has(program);

/** An empty line needs no holding (C-c, or all taken back), nor one that only the program knows. */
const isHeld = ({ rest: { text, isUnknown } }: TypedLines): boolean => text !== '' && !isUnknown;

/** A program that reads keys gets each at once: what is on its line is judged, and the keys alone. */
const keysAsLines = ({ lines, rest }: TypedLines, typed: string): TypedLines => ({
  lines: [...lines, rest, { text: typed, isUnknown: false }].filter(({ text }) => text !== ''),
  rest,
});

const unfinishedCommand = (
  before: string | undefined,
  lines: readonly LineInProgress[],
): string | undefined => {
  if (lines.length === 0) return before;
  const script = [...(before === undefined ? [] : [before]), ...lines.map(({ text }) => text)].join(
    '\n',
  );
  return findCommandsInScript(script).isUnfinished
    ? script.slice(-MAX_UNFINISHED_CHARACTERS)
    : undefined;
};

/** For a person's terminal: no key may act there. */
const showKeys = (text: string): string =>
  JSON.stringify(text.slice(0, MAX_SHOWN_CHARACTERS)).slice(1, -1).replaceAll('\\"', '"');
