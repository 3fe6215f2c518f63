/** Holds what is started and typed to the user's policy, and asks a person where a rule says so. */
import { PatternTooSlow, RefusedByPolicy } from '../../../errors.ts';
import type { PolicyActor } from '../../../policy/concerning-rules.ts';
import { type Decision, judgeAction, type PolicyAction } from '../../../policy/judge-action.ts';
import type { Policy, RuleText } from '../../../policy/policy.ts';
import { exactPattern } from '../../../policy/read-policy.ts';
import { type Actor, describeCaller } from '../../../session/caller.ts';
import type { ApprovalAnswer, Asking } from '../../../session/input/approval.ts';
import type { Gate, GatedOpening, GatedSession, InputGate } from '../../../session/input/gate.ts';
import type { Approvals, GivenAnswer } from './approvals.ts';
import type { AuditLog } from './audit-log.ts';
import { PolicyInputGate } from './input-gate.ts';
import type { PolicyFile } from './policy-file.ts';

/** What a person is shown besides the action. */
export interface Situation {
  what: string;
  foreground?: string | undefined;
  prompt?: string | undefined;
  screen?: string;
}

export class PolicyGate implements Gate {
  readonly #file: PolicyFile;
  readonly #approvals: Approvals;
  readonly #audit: AuditLog;
  /** What a person has allowed for the rest of a session, by its name. */
  readonly #allowed = new Map<string, Set<string>>();

  constructor(file: PolicyFile, approvals: Approvals, audit: AuditLog) {
    this.#file = file;
    this.#approvals = approvals;
    this.#audit = audit;
  }

  async leastSandbox(): Promise<string | undefined> {
    return (await this.#file.current()).sandbox;
  }

  async beforeOpen({ session, command, cwd, run, actor, asking }: GatedOpening): Promise<void> {
    const common = { session, cwd, actor: policyActor(actor) };
    const action: PolicyAction =
      run === undefined
        ? { act: 'open', command, ...common }
        : { act: 'run', command: run, ...common };
    const decision = this.judge(await this.#file.current(), action, actor);
    if (decision.outcome !== 'ask') return;
    await this.ask(action, decision, actor, { what: run ?? command.join(' ') }, asking);
  }

  inputOf(session: GatedSession): InputGate {
    return new PolicyInputGate(session, this);
  }

  /** Whether any rule may fit what this actor types, into whatever program. */
  concernsTyping(actor: Actor): boolean {
    const { rules } = this.#file.latest;
    if (rules.length === 0) return false;
    const { isPerson } = policyActor(actor);
    return rules.some(
      ({ outcome, acts, actor: named }) =>
        outcome !== 'allow' &&
        (acts.includes('type') || acts.includes('run')) &&
        (named !== undefined || !isPerson),
    );
  }

  get mayAskAboutTyping(): boolean {
    return this.#file.latest.rules.some(
      ({ outcome, acts }) => outcome === 'ask' && (acts.includes('type') || acts.includes('run')),
    );
  }

  /** Whether `current` would wait or throw. */
  get needsAttention(): boolean {
    return this.#file.needsAttention;
  }

  /** As it was last read. */
  get latest(): Policy {
    return this.#file.latest;
  }

  current(): Policy | Promise<Policy> {
    return this.#file.needsAttention ? this.#file.current() : this.#file.latest;
  }

  /** Throws if a rule denies it. What a person has allowed for the session is allowed. */
  judge(policy: Policy, action: PolicyAction, actor: Actor, isHidden = false): Decision {
    const decision = judgeWithin(policy, action);
    const { outcome, rule } = decision;
    if (rule === undefined) return decision;
    const about = isHidden ? '' : decision.about;
    const note = (made: string) =>
      this.#audit.add({
        what: 'decision',
        session: action.session,
        actor,
        rule: rule.number,
        outcome: made,
        text: about,
      });
    if (outcome === 'ask' && this.#isAllowed(action.session, decision)) {
      note('allowed for this session');
      return { ...decision, outcome: 'allow' };
    }
    if (outcome !== 'ask') note(outcome === 'deny' ? 'denied' : 'allowed');
    if (outcome === 'deny') throw refusal(action, decision, "the user's policy denies it.");
    return decision;
  }

  /** Resolves when a person has allowed it; throws otherwise. */
  async ask(
    action: PolicyAction,
    decision: Decision,
    actor: Actor,
    { what, foreground, prompt, screen }: Situation,
    asking: Asking,
  ): Promise<void> {
    const rule = decision.rule!;
    const note = (made: string, { by, door }: Omit<GivenAnswer, 'answer'> = {}) =>
      this.#audit.add({
        what: 'approval',
        session: action.session,
        actor,
        rule: rule.number,
        outcome: made,
        ...(by !== undefined && { by }),
        ...(door !== undefined && { door }),
        text: what,
      });
    note('asked');
    const { cwd } = action;
    const given = await this.#approvals
      .ask(
        {
          act: action.act,
          session: action.session,
          who: describeCaller(actor.caller),
          what,
          about: decision.about,
          ...(cwd !== undefined && { cwd }),
          ...(foreground !== undefined && { foreground }),
          ...(prompt !== undefined && { prompt }),
          ...(screen !== undefined && { screen }),
          rule: rule.number,
          why: rule.why,
          ...(decision.doubt !== undefined && { doubt: decision.doubt }),
          answers: possibleAnswers(action, decision),
        },
        asking,
        actor.caller,
      )
      .catch((error: unknown) => {
        note('withdrawn');
        throw error;
      });
    note(given.answer, given);
    this.#carryOut(action, decision, given);
  }

  onRenamed(from: string, to: string): void {
    const allowed = this.#allowed.get(from);
    this.#allowed.delete(from);
    if (allowed !== undefined) this.#allowed.set(to, allowed);
  }

  onClosed(session: string): void {
    this.#allowed.delete(session);
  }

  #carryOut(action: PolicyAction, decision: Decision, { answer, by = '' }: GivenAnswer): void {
    const rule = decision.rule!;
    if (answer === 'nobody')
      throw refusal(action, decision, 'a person was asked, and nobody answered.', answer);
    if (answer === 'refuse')
      throw refusal(action, decision, 'a person was asked, and refused it.', answer);
    if (answer === 'session') {
      const allowed = this.#allowed.get(action.session) ?? new Set();
      this.#allowed.set(action.session, allowed.add(keyOf(decision)));
    }
    if (answer === 'rule') this.#file.addRules(rule.number, rulesFor(action, decision, by));
  }

  #isAllowed(session: string, decision: Decision): boolean {
    return this.#allowed.get(session)?.has(keyOf(decision)) === true && !decision.doubt;
  }
}

/** A pattern that takes too long is no permission. */
const judgeWithin = (policy: Policy, action: PolicyAction): Decision => {
  try {
    return judgeAction(policy, action);
  } catch (error) {
    if (!(error instanceof PatternTooSlow)) throw error;
    const why = 'a pattern of the policy takes too long for it; `repartee policy check` says which';
    throw new RefusedByPolicy(wordFor(action), `${why}.`, { why });
  }
};

export const policyActor = ({ name, caller }: Actor): PolicyActor => ({
  name,
  ...(caller.client && { client: caller.client.name }),
  isPerson: caller.kind === 'person' && caller.inside === undefined,
});

const wordFor = ({ act }: PolicyAction) =>
  (({ open: 'opened', run: 'run', type: 'typed' }) as const)[act];

const refusal = (
  action: PolicyAction,
  { rule, doubt }: Decision,
  reason: string,
  answer?: string,
): RefusedByPolicy => {
  const { number, why } = rule!;
  const doubts = doubt === undefined ? '' : ` (${doubt}: write it out)`;
  const advice =
    answer === 'nobody'
      ? ' Tell the user what you want to do and why; `repartee approvals` is where they answer.'
      : '';
  return new RefusedByPolicy(
    wordFor(action),
    `${reason} Rule ${number}: ${why}${doubts}${advice}`,
    {
      rule: number,
      why,
      ...(answer !== undefined && { answer }),
    },
  );
};

/** What cannot be known cannot be allowed for later, and a session that is not open yet has no "later". */
const possibleAnswers = ({ act }: PolicyAction, { doubt, judged }: Decision): ApprovalAnswer[] => {
  if (doubt !== undefined) return ['once', 'refuse'];
  const hasText = judged.every((part) => Object.keys(part).length > 0);
  return [
    'once',
    ...(act === 'open' ? [] : ['session' as const]),
    ...(hasText ? ['rule' as const] : []),
    'refuse',
  ];
};

/** Of what a person has allowed: under this rule, exactly these commands or lines. */
const keyOf = ({ rule, judged }: Decision): string => {
  const { number: _, command, input, ...rest } = rule!;
  return JSON.stringify([rest, command?.source, input?.source, judged]);
};

const rulesFor = (action: PolicyAction, { judged }: Decision, by: string): RuleText[] =>
  judged.map(({ command, input }) => ({
    act: action.act,
    ...(command !== undefined && { command: exactPattern(command) }),
    ...(input !== undefined && { input: exactPattern(input) }),
    ...('foreground' in action &&
      action.foreground !== undefined && { foreground: action.foreground }),
    then: 'allow',
    why: `allowed by ${by}, ${new Date().toISOString().slice(0, 10)}`,
  }));
