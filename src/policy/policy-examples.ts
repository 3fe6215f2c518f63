/** Examples for a policy: actions, and what must be decided of each. */
import { PolicyBroken } from '../errors.ts';
import { judgeAction, type PolicyAction } from './judge-action.ts';
import { type Outcome, outcomes, type Policy, type PolicyAct, policyActs } from './policy.ts';
import { relays, shells } from './wrappers.ts';

/** An action as a person writes it. */
export interface ActionText {
  /** @default run */
  act?: PolicyAct;
  /** The command line, or the line that is typed. */
  text: string;
  /** The program that gets a typed line. */
  foreground?: string;
  cwd?: string;
  /** @default agent */
  actor?: string;
  session?: string;
}

export interface PolicyExample extends ActionText {
  expected: Outcome;
}

export const toAction = ({
  act = 'run',
  text,
  foreground,
  cwd = '/',
  actor = 'agent',
  session = 'session',
}: ActionText): PolicyAction => {
  const common = { cwd, session, actor: { name: actor, isPerson: actor === 'person' } };
  if (act === 'run') return { ...common, act, command: text, foreground };
  if (act === 'open') return { ...common, act, command: ['/bin/sh', '-c', text] };
  const isForShell = foreground === undefined || shells.has(foreground) || relays.has(foreground);
  const lines = text.split('\n').map((line) => ({ text: line, isUnknown: false }));
  return { ...common, act, lines, foreground, isForShell };
};

/** Throws PolicyBroken, for the file of examples. */
export const readExamples = (text: string, path: string): PolicyExample[] => {
  const refuse = (problem: string): never => {
    throw new PolicyBroken(path, problem);
  };
  let examples: unknown;
  try {
    examples = JSON.parse(text);
  } catch (error) {
    refuse(`it is not JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(examples)) return refuse('it must be a list of examples');
  return examples.map((example: Record<string, unknown>, index) => {
    const { then: expected, ...action } = example ?? {};
    const where = `example ${index + 1}`;
    if (!outcomes.includes(expected as Outcome))
      refuse(`${where}: "then" must be one of: ${outcomes.join(', ')}`);
    if (typeof action.text !== 'string') refuse(`${where}: "text" must be a text`);
    if (action.act !== undefined && !policyActs.includes(action.act as PolicyAct))
      refuse(`${where}: "act" must be one of: ${policyActs.join(', ')}`);
    const other = Object.entries(action).find(
      ([key, value]) => !EXAMPLE_FIELDS.includes(key) || typeof value !== 'string',
    );
    if (other !== undefined) refuse(`${where}: "${other[0]}" is unknown, or no text`);
    return { ...(action as unknown as ActionText), expected: expected as Outcome };
  });
};

const EXAMPLE_FIELDS: readonly string[] = ['act', 'text', 'foreground', 'cwd', 'actor', 'session'];

export const judgeExample = (policy: Policy, example: ActionText) =>
  judgeAction(policy, toAction(example));
