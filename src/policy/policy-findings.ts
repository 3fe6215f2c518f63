/** What is odd about a policy that can be read: rules that can never fit, patterns that could hang. */
import { PatternTooSlow } from '../errors.ts';
import type { Pattern } from '../views/pattern.ts';
import type { Policy, Rule } from './policy.ts';

export interface PolicyFinding {
  rule: number;
  problem: string;
}

export const findPolicyProblems = ({ rules }: Policy): PolicyFinding[] =>
  rules.flatMap((rule, index) =>
    [neverFits(rule, rules.slice(0, index)), missesTyping(rule, rules), ...slowPatterns(rule)]
      .filter((problem) => problem !== undefined)
      .map((problem) => ({ rule: rule.number, problem })),
  );

const neverFits = (rule: Rule, earlier: readonly Rule[]): string | undefined => {
  const { acts, command, input, foreground, cwd } = rule;
  const isTyped = acts.includes('type');
  if (input && !isTyped) return 'never fits: "input" is what is typed, and "act" has no type';
  if (foreground && acts.every((act) => act === 'open'))
    return 'never fits: nothing is in the foreground before a program is opened';
  if (foreground?.includes('/'))
    return 'never fits: "foreground" is the name of a program, without its folder';
  if (cwd && !cwd.startsWith('/') && !cwd.startsWith('*'))
    return 'never fits: "cwd" must be an absolute path';
  if (command?.source.startsWith('^/'))
    return 'never fits: a command is compared without the folder of its program';
  const covering = earlier.find((each) => covers(each, rule));
  return covering && `never fits: rule ${covering.number} fits everything that it would fit`;
};

const conditions = ['foreground', 'cwd', 'actor', 'session'] as const;

const covers = (earlier: Rule, rule: Rule): boolean =>
  rule.acts.every((act) => earlier.acts.includes(act)) &&
  conditions.every((key) => earlier[key] === undefined || earlier[key] === rule[key]) &&
  (earlier.actor !== undefined || rule.actor === undefined) &&
  (['command', 'input'] as const).every(
    (key) => earlier[key] === undefined || earlier[key].source === rule[key]?.source,
  );

/** A command that may not be run can be typed into a shell. */
const missesTyping = ({ acts, command, outcome, number }: Rule, rules: readonly Rule[]) => {
  if (!command || outcome === 'allow' || acts.includes('type')) return undefined;
  const isTypedToo = rules.some(
    (each) =>
      each.number !== number &&
      each.acts.includes('type') &&
      each.command?.source === command.source,
  );
  return isTypedToo
    ? undefined
    : 'does not hold for what is typed into a shell: leave "act" out, or add type';
};

const TRIAL_LENGTH = 3000;
const TRIAL_MS = 50;

const slowPatterns = ({ command, input }: Rule): (string | undefined)[] =>
  (['command', 'input'] as const).map((key) => {
    const pattern = { command, input }[key];
    return pattern && couldHang(pattern)
      ? `"${key}" could take very long: repeat no group that repeats something itself`
      : undefined;
  });

/** Tries it on texts made of its own characters, which slow patterns are slow at. */
const couldHang = (pattern: Pattern): boolean => {
  const characters = new Set([...pattern.source.replaceAll(/[\\^$.*+?()[\]{}|]/g, ''), 'a', ' ']);
  return [...characters].some((character) => {
    try {
      pattern.exec(`${character.repeat(TRIAL_LENGTH)}\u0001`, TRIAL_MS);
      return false;
    } catch (error) {
      if (error instanceof PatternTooSlow) return true;
      throw error;
    }
  });
};
