import { describe, expect, test } from 'vitest';
import { judgeAction } from '../../src/policy/judge-action.ts';
import type { PolicyAct } from '../../src/policy/policy.ts';
import { judgeExample } from '../../src/policy/policy-examples.ts';
import { readPolicy } from '../../src/policy/read-policy.ts';
import { emptyLine, readTypedLines } from '../../src/policy/typed-lines.ts';
import { allowed, asked, denied, missed, rules } from './evasions.ts';

const policy = await readPolicy(JSON.stringify({ rules }), 'policy.json');

const outcomeOf = (text: string, act: PolicyAct) =>
  judgeExample(policy, { text, act, foreground: 'bash' }).outcome;

const wrongOf = (texts: readonly string[], outcome: string) =>
  (['run', 'type', 'open'] as const).flatMap((act) =>
    texts
      .filter((text) => outcomeOf(text, act) !== outcome)
      .map((text) => `${act}: ${JSON.stringify(text)} is ${outcomeOf(text, act)}`),
  );

test('what must be denied is denied: opened, run or typed into a shell', () => {
  expect(wrongOf(denied, 'deny')).toEqual([]);
});

test('what must be asked is asked', () => {
  expect(wrongOf(asked, 'ask')).toEqual([]);
});

test('what is harmless is allowed', () => {
  expect(wrongOf(allowed, 'allow')).toEqual([]);
});

test('what cannot be caught is told', () => {
  const all = [denied, asked, allowed, missed].flat();
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(200);
  // One that is caught by now belongs into another table.
  expect(wrongOf(missed, 'allow')).toEqual([]);
  console.log(
    `${all.length} command lines: ${denied.length} denied, ${asked.length} asked, ${allowed.length} allowed.\n` +
      `${missed.length} get through although they do harm:\n${missed.map((line) => `  ${line}`).join('\n')}`,
  );
});

describe('a shell gets no denied line by the way it is typed', () => {
  test.each<[what: string, pieces: string[]]>([
    ['in one piece', ['rm -rf x\r']],
    ['in pieces', ['r', 'm -r', 'f x', '\r']],
    ['with backspaces', ['rx\x7fm -r', 'g\bf x\r']],
    ['after a line that was taken back', ['ls\x15rm -rf x\r']],
    ['after a word that was taken back', ['rm ls\x17-rf x\r']],
    ['as a paste', ['\x1b[200~ls\rrm -rf x\x1b[201~\r']],
    ['with a line feed', ['rm -rf x\n']],
    ['recalled with Up', ['\x1b[A\r']],
    ['recalled with C-r', ['\x12rm', '\r']],
    ['completed with Tab', ['r\t\r']],
    ['with the cursor moved', ['m -rf x\x01r\r']],
    ['accepted with C-o', ['\x10\x0f']],
    ['with a quoted key', ['\x16x\r']],
    ['from the history', ['!!\r']],
    ['from the history, by a word', ['!rm\r']],
    ['continued', ['rm \\\r', '-rf x\r']],
    ['in an open quote', ["rm '-r\r", "f' x\r"]],
    ['in a here-document', ['bash <<E\r', 'rm -rf x\r', 'E\r']],
  ])('%s', (_what, pieces) => {
    let rest = emptyLine;
    const finished = pieces.flatMap((piece) => {
      const typed = readTypedLines(rest, piece, { isCanonical: false });
      rest = typed.rest;
      return typed.lines;
    });
    const common = { session: 's', actor: { name: 'agent', isPerson: false }, isForShell: true };
    const decision = judgeAction(policy, {
      ...common,
      act: 'type',
      lines: finished,
      foreground: 'bash',
    });
    expect(decision.outcome).toBe('deny');
  });
});
