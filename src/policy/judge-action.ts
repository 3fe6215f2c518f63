/**
 * Rules and an action -> a decision, and the rule that made it.
 *
 * A command line is judged command by command, and the strictest decision counts. What cannot be known before
 * it happens (a program named by a variable, a line recalled from the shell's history) fits every rule that
 * asks or denies and might fit; it fits no rule that allows.
 */
import { withinPatternLimit } from '../views/pattern.ts';
import { type Circumstances, type ConcerningRules, rulesConcerning } from './concerning-rules.ts';
import {
  type FoundCommand,
  findCommandsInArguments,
  findCommandsInScript,
} from './find-commands.ts';
import { type Outcome, outcomes, type Policy, type Rule } from './policy.ts';
import type { LineInProgress } from './typed-lines.ts';

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
  const { rules, mayFit } = rulesConcerning(policy, action);
  if (rules.length === 0) return nothingFits;
  const decide = () =>
    strictest(partsOf(action).map((part) => judgePart(rules, mayFit, action, part)));
  const isQuick = policy.isQuick && lengthOf(action) <= QUICK_LENGTH;
  return isQuick ? decide() : withinPatternLimit(decide);
};

const nothingFits: Decision = { outcome: 'allow', about: '', judged: [] };

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

const judgePart = (
  rules: readonly Rule[],
  mayFit: ConcerningRules['mayFit'],
  action: PolicyAction,
  part: Part,
): PartDecision => {
  if (isKnown(part) && !mayFit(part.input?.text, part.command?.text))
    return { outcome: 'allow', part };
  for (const rule of rules) {
    const fit = fits(rule, action, part);
    if (fit === 'no') continue;
    return { outcome: rule.outcome, rule, part, ...(fit !== 'yes' && { doubt: fit.doubt }) };
  }
  return { outcome: 'allow', part };
};

/** Nothing about it is in doubt, so that a rule fits only what its patterns match. */
const isKnown = ({ input, command }: Part): boolean =>
  input?.isUnknown !== true &&
  (command === undefined || command.program !== undefined || command.isPipeline === true);

type Fit = 'yes' | 'no' | { doubt: string };

const fits = (rule: Rule, action: PolicyAction, part: Part): Fit => {
  const isSecret = action.act === 'type' && action.isSecret === true;
  if (isSecret && (rule.command ?? rule.input) !== undefined) return 'no';
  const input = fitsInput(rule, part);
  if (input === 'no') return 'no';
  const command = fitsCommand(rule, part);
  // A doubt about either is one about both.
  return command === 'yes' ? input : command;
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
