/** Reads a policy file: checks it against the table of fields, and compiles its patterns. */
import { PolicyBroken } from '../errors.ts';
import { nearestWord } from '../nearest-word.ts';
import { isQuickPattern, Pattern } from '../views/pattern.ts';
import {
  outcomes,
  type Policy,
  type PolicyText,
  policyActs,
  type Rule,
  type RuleText,
} from './policy.ts';

/** Far more than anybody reads. */
const MAX_RULES = 1000;

type Check = (value: unknown) => string | undefined;

const isText: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'must be a text that is not empty';
const oneOf =
  (choices: readonly string[]): Check =>
  (value) =>
    choices.includes(value as string) ? undefined : `must be one of: ${choices.join(', ')}`;
const isActs: Check = (value) => {
  const acts = Array.isArray(value) ? value : [value];
  const isRight = acts.length > 0 && acts.every((act) => policyActs.includes(act));
  return isRight ? undefined : `must be one or several of: ${policyActs.join(', ')}`;
};

const fields: Readonly<Record<keyof RuleText, Check>> = {
  act: isActs,
  command: isText,
  input: isText,
  foreground: isText,
  cwd: isText,
  actor: isText,
  session: isText,
  then: oneOf(outcomes),
  why: isText,
};

/** Throws PolicyBroken, which names the rule and what is wrong with it. */
export const readPolicy = async (text: string, path: string): Promise<Policy> => {
  const { rules: texts, sandbox } = checkPolicy(text, path);
  const rules: Rule[] = [];
  for (const [
    index,
    { act = policyActs, command, input, then: outcome, ...rest },
  ] of texts.entries()) {
    const number = index + 1;
    const compile = async (field: string, source: string) => {
      try {
        return await Pattern.compile(source);
      } catch (error) {
        throw new PolicyBroken(path, `rule ${number}: "${field}": ${(error as Error).message}`);
      }
    };
    rules.push({
      ...rest,
      number,
      outcome,
      acts: typeof act === 'string' ? [act] : [...act],
      ...(command !== undefined && { command: await compile('command', command) }),
      ...(input !== undefined && { input: await compile('input', input) }),
    });
  }
  const patterns = rules.flatMap(({ command, input }) => [command ?? [], input ?? []].flat());
  return {
    rules,
    isQuick: patterns.every(({ source }) => isQuickPattern(source)),
    usesFolders: rules.some(({ cwd }) => cwd !== undefined),
    ...(sandbox !== undefined && { sandbox }),
  };
};

/** The file as it is written, if all of it is right. */
export const checkPolicy = (text: string, path: string): PolicyText => {
  const refuse = (problem: string): never => {
    throw new PolicyBroken(path, problem);
  };
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    return refuse(`it is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(file)) return refuse('it must be an object with a list "rules"');
  const { sandbox, rules = sandbox === undefined ? undefined : [], ...others } = file;
  if (!Array.isArray(rules)) return refuse('it must be an object with a list "rules"');
  const [other] = Object.keys(others);
  if (other !== undefined)
    refuse(`it has "${other}", which means nothing; "rules" and "sandbox" are all there is`);
  const sandboxProblem = sandbox === undefined ? undefined : isText(sandbox);
  if (sandboxProblem !== undefined) refuse(`"sandbox" ${sandboxProblem}`);
  if (rules.length > MAX_RULES) refuse(`it has more than ${MAX_RULES} rules`);
  for (const [index, rule] of rules.entries()) {
    const problem = findRuleProblem(rule);
    if (problem !== undefined) refuse(`rule ${index + 1}: ${problem}`);
  }
  return { rules, ...(sandbox !== undefined && { sandbox: sandbox as string }) };
};

const findRuleProblem = (rule: unknown): string | undefined => {
  if (!isObject(rule)) return 'it must be an object';
  for (const [key, value] of Object.entries(rule)) {
    const check = Object.hasOwn(fields, key) ? fields[key as keyof RuleText] : undefined;
    if (check === undefined) {
      const nearest = nearestWord(key, Object.keys(fields));
      return `there is no "${key}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
    }
    const problem = check(value);
    if (problem !== undefined) return `"${key}" ${problem}`;
  }
  const missing = (['then', 'why'] as const).find((key) => rule[key] === undefined);
  return missing && `it has no "${missing}"`;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A pattern that fits exactly this text. */
export const exactPattern = (text: string): string =>
  `^${text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
