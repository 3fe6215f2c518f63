import { existsSync, readFileSync } from 'node:fs';
import { policyPath } from '../../daemon/protocol/daemon-paths.ts';
import { PolicyBroken } from '../../errors.ts';
import { plainText } from '../../plain-text.ts';
import type { Decision } from '../../policy/judge-action.ts';
import { emptyPolicy, type Policy, policyActs } from '../../policy/policy.ts';
import { judgeExample, readExamples } from '../../policy/policy-examples.ts';
import { findPolicyProblems } from '../../policy/policy-findings.ts';
import { readPolicy } from '../../policy/read-policy.ts';
import { findProfile } from '../../sandbox/profile.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes.ts';
import { printJson, printRemark, printText } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';

export const policyCommand = defineCommand({
  name: 'policy',
  summary: 'check the rules on what may be started and typed',
  words: [{ choices: ['check', 'test'] }, { usage: '[COMMAND|FILE]', isText: true }],
  options: {
    act: {
      value: 'ACT',
      choices: policyActs,
      description: 'what is done with COMMAND',
      default: 'run',
    },
    foreground: { value: 'NAME', description: 'the program that gets a typed line' },
    cwd: {
      value: 'FOLDER',
      paths: 'folders',
      description: 'the folder it happens in',
      default: 'this one',
    },
    actor: { value: 'NAME', description: 'who does it', default: 'agent' },
    session: { value: 'NAME', sessions: true, description: 'in which session' },
    ...jsonOption,
  },
  notes: [
    '`check` says what is odd about the policy; with a command, which rule would decide, and why.',
    '`test` compares a file of examples with what the policy decides. Exit code 1: one differs.',
  ],
  examples: [
    ['repartee policy check', 'rules that never fit, patterns that could hang'],
    ["repartee policy check 'sudo rm -rf /'", ''],
    ["repartee policy check --act type --foreground psql 'DROP TABLE users;'", ''],
  ],
  async run({ values, words: [action, text, ...more] }) {
    if (more.length > 0 || !['check', 'test'].includes(action ?? ''))
      throw new UsageError(
        "Say `repartee policy check ['COMMAND']` or `repartee policy test FILE`.",
      );
    const policy = await usersPolicy();
    if (action === 'test') {
      if (text === undefined) throw new UsageError('Name the file with the examples.');
      return test(policy, text, values.json);
    }
    const { act, foreground, cwd = process.cwd(), actor, session } = values;
    if (text === undefined) return check(policy, values.json);
    const decision = judgeExample(policy, {
      text,
      cwd,
      ...ifDefined(
        'act',
        policyActs.find((each) => each === act),
      ),
      ...ifDefined('foreground', foreground),
      ...ifDefined('actor', actor),
      ...ifDefined('session', session),
    });
    if (values.json) printJson(decisionOnWire(decision));
    else printText(describeDecision(decision));
    return EXIT_DONE;
  },
});

/** Throws if it is broken. */
const usersPolicy = async (): Promise<Policy> => {
  const path = policyPath();
  if (existsSync(path)) return readPolicy(readText(path), path);
  printRemark(`[there is no policy; it would be ${path}]`);
  return emptyPolicy;
};

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new PolicyBroken(path, (error as Error).message);
  }
};

const check = (policy: Policy, json: boolean): number => {
  // Every session would be refused.
  if (policy.sandbox !== undefined) findProfile(policy.sandbox, process.env);
  const findings = findPolicyProblems(policy);
  if (json) printJson({ rules: policy.rules.length, findings });
  else {
    for (const { rule, problem } of findings) printText(`rule ${rule} ${problem}`);
    printText(
      `${policy.rules.length} rules; ${findings.length === 0 ? 'nothing is odd' : `${findings.length} to look at`}`,
    );
  }
  return findings.length === 0 ? EXIT_DONE : EXIT_FAILED;
};

const test = (policy: Policy, file: string, json: boolean): number => {
  const judged = readExamples(readText(file), file).map((example) => {
    const decision = judgeExample(policy, example);
    return { example, decision, isRight: decision.outcome === example.expected };
  });
  const wrong = judged.filter(({ isRight }) => !isRight);
  if (json)
    printJson({
      examples: judged.length,
      wrong: wrong.map(({ example, decision }) => ({ ...example, ...decisionOnWire(decision) })),
    });
  else {
    for (const { example, decision } of wrong)
      printText(
        `${plainText(example.text)}: must be ${example.expected}, is ${describeDecision(decision)}`,
      );
    printText(
      `${judged.length - wrong.length} of ${judged.length} examples are decided as expected`,
    );
  }
  return wrong.length === 0 ? EXIT_DONE : EXIT_FAILED;
};

const decisionOnWire = ({ outcome, rule, about, doubt }: Decision) => ({
  decision: outcome,
  ...(rule && { rule: rule.number, why: rule.why, about }),
  ...ifDefined('doubt', doubt),
});

const describeDecision = ({ outcome, rule, about, doubt }: Decision): string => {
  if (rule === undefined) return `${outcome}: no rule fits`;
  const doubts = doubt === undefined ? '' : ` (${doubt})`;
  // It goes to a terminal, and may come from an agent.
  return `${outcome}: rule ${rule.number} fits "${plainText(about)}"${doubts}: ${plainText(rule.why)}`;
};
