/** Which rules concern an action, before anybody looks at commands and lines. */
import { Pattern } from '../views/pattern.ts';
import type { Policy, PolicyAct, Rule } from './policy.ts';
import { fitsFolder, fitsName } from './wildcards.ts';

/** Who acts, as rules name it. */
export interface PolicyActor {
  name: string;
  client?: string;
  isPerson: boolean;
}

export interface Circumstances {
  session: string;
  actor: PolicyActor;
  /** Undefined if it is not known. */
  cwd?: string | undefined;
}

export interface ConcerningRules {
  /** None if all of them allow. */
  rules: readonly Rule[];
  /** False if no rule can fit these texts, of which nothing is in doubt. */
  mayFit(input: string | undefined, command: string | undefined): boolean;
}

/** When something is done, as far as it does not need to be taken apart. */
export interface ActionCircumstances extends Circumstances {
  act: PolicyAct;
  foreground?: string | undefined;
}

/** For each policy, the rules that concern what has happened lately: much happens in the same circumstances. */
const lately = new WeakMap<Policy, Map<string, ConcerningRules>>();
/** Mostly the same is done again: the same session, the same program. */
let last: { policy: Policy; action: ActionCircumstances; found: ConcerningRules } | undefined;
const MAX_LATELY = 500;

export const rulesConcerning = (policy: Policy, action: ActionCircumstances): ConcerningRules => {
  if (last?.policy === policy && isAlike(last.action, action, policy)) return last.found;
  const { act, session, foreground, cwd, actor } = action;
  const folder = policy.usesFolders ? cwd : undefined;
  const { name, client, isPerson } = actor;
  const key = [act, session, foreground ?? '/', folder, name, client, isPerson].join('\0');
  const known = lately.get(policy) ?? new Map<string, ConcerningRules>();
  lately.set(policy, known);
  const found = known.get(key) ?? findConcerning(policy, action);
  if (known.size >= MAX_LATELY) known.clear();
  known.set(key, found);
  last = { policy, action, found };
  return found;
};

const isAlike = (a: ActionCircumstances, b: ActionCircumstances, { usesFolders }: Policy) =>
  a.act === b.act &&
  a.session === b.session &&
  a.foreground === b.foreground &&
  (!usesFolders || a.cwd === b.cwd) &&
  a.actor.name === b.actor.name &&
  a.actor.client === b.actor.client &&
  a.actor.isPerson === b.actor.isPerson;

const findConcerning = (policy: Policy, action: ActionCircumstances): ConcerningRules => {
  const all = policy.rules.filter((rule) => concerns(rule, action));
  const rules = all.every(({ outcome }) => outcome === 'allow') ? [] : all;
  const fitsAnything = rules.some(
    ({ input, command }) => input === undefined && command === undefined,
  );
  // Only quick patterns can be joined: others may refer to groups by their number.
  if (!policy.isQuick || fitsAnything) return { rules, mayFit: () => true };
  const anyInput = Pattern.anyOf(rules.flatMap(({ input }) => input ?? []));
  const anyCommand = Pattern.anyOf(rules.flatMap(({ command }) => command ?? []));
  return {
    rules,
    mayFit: (input, command) =>
      (input !== undefined && anyInput(input)) || (command !== undefined && anyCommand(command)),
  };
};

const concerns = (rule: Rule, action: ActionCircumstances): boolean =>
  rule.acts.includes(action.act) &&
  fitsActor(rule, action.actor) &&
  fitsName(rule.session, action.session) &&
  (rule.cwd === undefined ||
    (action.cwd === undefined ? rule.outcome !== 'allow' : fitsFolder(rule.cwd, action.cwd))) &&
  fitsForeground(rule, action);

/** Where the program is not known, a rule needs something else to fit: a command or a line. */
const fitsForeground = (
  rule: Rule,
  { act, foreground }: { act: PolicyAct; foreground?: string | undefined },
): boolean => {
  if (rule.foreground === undefined) return true;
  if (act === 'open') return false;
  if (foreground !== undefined) return fitsName(rule.foreground, foreground);
  return rule.outcome !== 'allow' && (rule.command ?? rule.input) !== undefined;
};

/** A rule that names nobody is for agents: a person need not ask a person. */
const fitsActor = ({ actor }: Rule, { name, client, isPerson }: PolicyActor): boolean => {
  if (actor === undefined) return !isPerson;
  if (actor === 'person') return isPerson;
  // An actor may call itself as it likes, but not so become a person.
  return fitsName(actor, name) || (client !== undefined && fitsName(actor, client));
};
