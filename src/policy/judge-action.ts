/**
 * Rules and an action -> a decision, and the rule that made it.
 *
 * A command line is judged command by command, and the strictest decision counts. What cannot be known before
 * it happens (a program named by a variable, a line recalled from the shell's history) fits every rule that
 * asks or denies and might fit; it fits no rule that allows.
 */
import { withinPatternLimit } from '../views/pattern.ts';
import {
  type FoundCommand,
  findCommandsInArguments,
  findCommandsInScript,
} from './find-commands.ts';
import { type Outcome, outcomes, type Policy, type PolicyAct, type Rule } from './policy.ts';
import type { LineInProgress } from './typed-lines.ts';
import { fitsFolder, fitsName } from './wildcards.ts';

/** Who acts, as rules name it. */
export interface PolicyActor {
  name: string;
  client?: string;
  isPerson: boolean;
}

interface Circumstances {
  session: string;
  actor: PolicyActor;
  /** Undefined if it is not known. */
  cwd?: string | undefined;
}

export type PolicyAction = Circumstances &
  (
    | { act: 'open'; command: readonly string[] }
    /** `isInteractive`: in the shell of a session, which has a history. */
    | { act: 'run'; command: string; foreground?: string | undefined; isInteractive?: boolean }
    | {
        act: 'type';
        lines: readonly LineInProgress[];
        /** Lines before these of which the shell has not got the end: of a quote, or a here-document. */
        unfinished?: string;
        /** Undefined if another program may read the lines than the one in the foreground now. */
        foreground?: string | undefined;
        /** The program is a shell, or may hand the lines to one. */
        isForShell: boolean;
        /** It is a secret, of which rules see nothing. */
        isSecret?: boolean;
      }
  );

export interface Decision {
  outcome: Outcome;
  /** Absent if no rule fits. */
  rule?: Rule;
  /** The command or the line that the rule is about. */
  about: string;
  /** Why the rule might fit, where that cannot be known. */
  doubt?: string;
  /** All that was judged like this: what a rule must allow so that it is not asked again. */
  judged: readonly JudgedPart[];
}

/** A command, or a typed line. */
export interface JudgedPart {
  command?: string;
  input?: string;
}

/** One part of an action, which rules are compared with. */
interface Part {
  command?: FoundCommand;
  input?: LineInProgress;
  doubt?: string;
}

/** Below this length no quick pattern takes a millisecond. */
const QUICK_LENGTH = 2000;

export const judgeAction = (policy: Policy, action: PolicyAction): Decision => {
  const rules = rulesConcerning(policy, action);
  if (rules.length === 0) return nothingFits;
  const decide = () => strictest(partsOf(action).map((part) => judgePart(rules, action, part)));
  const isQuick = policy.isQuick && lengthOf(action) <= QUICK_LENGTH;
  return isQuick ? decide() : withinPatternLimit(decide);
};

const nothingFits: Decision = { outcome: 'allow', about: '', judged: [] };

/** When something is done, as far as it does not need to be taken apart. */
export interface ActionCircumstances extends Circumstances {
  act: PolicyAct;
  foreground?: string | undefined;
}

/** For each policy, the rules that concern what has happened lately: much happens in the same circumstances. */
const lately = new WeakMap<Policy, Map<string, readonly Rule[]>>();
const MAX_LATELY = 500;

/** The rules that might fit, before anybody looks at commands and lines. None if all of them allow. */
export const rulesConcerning = (policy: Policy, action: ActionCircumstances): readonly Rule[] => {
  const { act, session, foreground, cwd, actor } = action;
  const folder = policy.usesFolders ? cwd : undefined;
  const { name, client, isPerson } = actor;
  const key = [act, session, foreground ?? '/', folder, name, client, isPerson].join('\0');
  const known = lately.get(policy) ?? new Map<string, readonly Rule[]>();
  lately.set(policy, known);
  const found = known.get(key);
  if (found !== undefined) return found;
  const rules = policy.rules.filter((rule) => concerns(rule, action));
  const concerning = rules.every(({ outcome }) => outcome === 'allow') ? [] : rules;
  if (known.size >= MAX_LATELY) known.clear();
  known.set(key, concerning);
  return concerning;
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

const lengthOf = (action: PolicyAction): number => {
  if (action.act === 'open') return action.command.join(' ').length;
  if (action.act === 'run') return action.command.length;
  const lines = action.lines.reduce((sum, { text }) => sum + text.length, 0);
  return lines + (action.unfinished?.length ?? 0);
};

const partsOf = (action: PolicyAction): Part[] => {
  if (action.act === 'open')
    return findCommandsInArguments(action.command).commands.map((command) => ({ command }));
  if (action.act === 'run') return commandParts(action.command, action.isInteractive);
  if (action.isSecret) return [{}];
  const { lines, unfinished, isForShell } = action;
  if (!isForShell) return lines.map(lineAsPart);
  const known = lines.filter(({ isUnknown }) => !isUnknown).map(({ text }) => text);
  const before = unfinished === undefined ? [] : [unfinished];
  const found = commandParts([...before, ...known].join('\n'), true);
  // A rule for input sees the whole line with each of its commands.
  const inputs = lines.map(lineAsPart);
  const commands = found.flatMap((part) => inputs.map(({ input }) => ({ ...part, input: input! })));
  return [...inputs, ...(lines.length === 1 ? commands : found)];
};

const lineAsPart = (line: LineInProgress): Part => ({
  input: line,
  ...(line.isUnknown && { doubt: 'a key was pressed whose effect on the line cannot be known' }),
});

const commandParts = (script: string, isInteractive = false): Part[] => {
  const { commands, usesHistory } = findCommandsInScript(script);
  const recalled = isInteractive && usesHistory;
  return [
    ...commands.map((command) => ({ command })),
    ...(recalled
      ? [
          {
            command: { text: script, program: undefined },
            doubt: 'the shell takes a part of it from its history',
          },
        ]
      : []),
  ];
};

interface PartDecision {
  outcome: Outcome;
  rule?: Rule;
  part: Part;
  doubt?: string;
}

const judgePart = (rules: readonly Rule[], action: PolicyAction, part: Part): PartDecision => {
  for (const rule of rules) {
    const fit = fits(rule, action, part);
    if (fit === 'no') continue;
    return { outcome: rule.outcome, rule, part, ...(fit !== 'yes' && { doubt: fit.doubt }) };
  }
  return { outcome: 'allow', part };
};

type Fit = 'yes' | 'no' | { doubt: string };

const fits = (rule: Rule, action: PolicyAction, part: Part): Fit => {
  const isSecret = action.act === 'type' && action.isSecret === true;
  if (isSecret && (rule.command ?? rule.input) !== undefined) return 'no';
  const all = [fitsInput(rule, part), fitsCommand(rule, part)];
  if (all.includes('no')) return 'no';
  const doubt = all.find((fit) => fit !== 'yes');
  return doubt ?? 'yes';
};

const fitsInput = (rule: Rule, { input, doubt }: Part): Fit => {
  if (rule.input === undefined) return 'yes';
  if (input === undefined) return 'no';
  if (!input.isUnknown) return rule.input.test(input.text) ? 'yes' : 'no';
  return rule.outcome === 'allow' ? 'no' : { doubt: doubt ?? UNKNOWN_LINE };
};

const fitsCommand = (rule: Rule, { command, input, doubt }: Part): Fit => {
  if (rule.command === undefined) return 'yes';
  // A line whose commands cannot be known.
  if (command === undefined)
    return input?.isUnknown && rule.outcome !== 'allow' ? { doubt: doubt ?? UNKNOWN_LINE } : 'no';
  // What allows a command does not allow everything that it is piped into.
  if (command.isPipeline && rule.outcome === 'allow' && !rule.command.source.includes('\\|'))
    return 'no';
  if (command.program !== undefined || command.isPipeline)
    return rule.command.test(command.text) ? 'yes' : 'no';
  if (rule.outcome === 'allow') return 'no';
  return { doubt: doubt ?? 'only the shell can know which program this is; name it' };
};

const UNKNOWN_LINE = 'the line cannot be known';

const strictest = (decisions: readonly PartDecision[]): Decision => {
  const outcome = outcomes.findLast((each) =>
    decisions.some((decision) => decision.outcome === each),
  );
  const same = decisions.filter((each) => each.outcome === outcome);
  // If there is a rule that surely fits, it is the one to name.
  const first =
    same.find(({ rule, doubt }) => rule && doubt === undefined) ??
    same.find(({ rule }) => rule) ??
    same[0];
  if (outcome === undefined || first === undefined) return nothingFits;
  const { rule, doubt, part } = first;
  return {
    outcome,
    ...(rule && { rule }),
    about: part.command?.text ?? part.input?.text ?? '',
    ...(doubt !== undefined && { doubt }),
    judged: same
      .filter(({ rule: by }) => by !== undefined)
      .map(({ rule: by, part: { command, input } }) => ({
        ...(command && { command: command.text }),
        ...(input && (by?.input || !command) && { input: input.text }),
      })),
  };
};
