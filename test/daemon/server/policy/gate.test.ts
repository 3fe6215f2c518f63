import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RuleText } from '../../../../src/policy/policy.ts';
import {
  agent,
  sessionsWithPolicy as begin,
  person,
} from '../../../helpers/daemon/sessions-with-policy.ts';
import { until } from '../../../helpers/until.ts';

const denyRm: RuleText = { command: '^rm ', then: 'deny', why: 'use trash' };
const askDrop: RuleText = {
  act: 'type',
  foreground: 'cat',
  input: 'DROP',
  then: 'ask',
  why: 'it is the real one',
};
const refused = { code: 'REFUSED_BY_POLICY' };

test('a denied command is neither run nor opened, and the agent is told why', async () => {
  const { sessions, paths } = await begin([denyRm]);
  await expect(sessions.run('sudo rm x')).rejects.toMatchObject({
    ...refused,
    message: "This was not run: the user's policy denies it. Rule 1: use trash",
  });
  await expect(sessions.open({ command: ['rm', 'x'] })).rejects.toMatchObject(refused);
  await expect(sessions.run('echo rm x')).resolves.toMatchObject({ output: 'rm x' });
  expect(readFileSync(paths.audit, 'utf8')).toContain('"outcome":"denied"');
});

test('a shell gets no line that is denied, however it is typed', async () => {
  const { sessions } = await begin([denyRm]);
  await sessions.open({ name: 'sh', command: ['bash', '--norc'] });
  await expect(sessions.send('sh', { text: 'rm x' })).rejects.toMatchObject(refused);
  const held = await sessions.send('sh', { text: 'r', submit: false });
  expect(held.notice).toContain('1 typed characters are held');
  await expect(sessions.send('sh', { text: 'm x' })).rejects.toMatchObject(refused);
  await sessions.send('sh', { text: 'rx', submit: false });
  await expect(sessions.send('sh', { keys: 'BSpace m Space x Enter' })).rejects.toMatchObject(
    refused,
  );
  await expect(sessions.run('rm x', { session: 'sh' })).rejects.toMatchObject(refused);
  await sessions.send('sh', { text: 'ls \\' });
  await expect(sessions.send('sh', { text: '; rm x' })).rejects.toMatchObject(refused);
  await sessions.send('sh', { keys: 'C-c' });
  await expect(sessions.send('sh', { keys: 'Up Enter' })).rejects.toMatchObject(refused);
  await sessions.send('sh', { keys: 'C-c' });
  const { output } = await sessions.send('sh', { text: 'echo done' });
  expect(output).toContain('done');
  const screen = await sessions.read('sh', { view: 'screen' });
  expect(screen.output).not.toContain('rm x');
});

test('pieces of a line that is allowed are typed together with its Enter', async () => {
  const { sessions } = await begin([denyRm]);
  await sessions.open({ name: 'sh', command: ['bash', '--norc'] });
  await sessions.send('sh', { text: 'echo a', submit: false });
  expect((await sessions.send('sh', { text: 'b' })).output).toContain('ab');
});

test('what an agent has not finished is not typed by what a person types', async () => {
  const { sessions } = await begin([denyRm]);
  await sessions.open({ name: 'sh', command: ['bash', '--norc'] });
  await sessions.send('sh', { text: 'rm x', submit: false }, { caller: agent });
  const typed = await sessions.send('sh', { text: 'echo a' }, { caller: person, actor: 'ann' });
  expect(typed.output.trim()).toBe('a');
  await expect(sessions.send('sh', { keys: 'Enter' }, { caller: agent })).rejects.toMatchObject(
    refused,
  );
});

test('where no rule can fit the program, pieces are typed at once', async () => {
  const { sessions } = await begin([askDrop]);
  await sessions.open({ name: 'sh', command: ['bash', '--norc'] });
  const typed = await sessions.send('sh', { text: 'echo a', submit: false });
  expect(typed.notice).toBeUndefined();
});

test('a line typed ahead is judged for whoever may read it', async () => {
  const { sessions } = await begin([
    { act: 'type', foreground: 'bash', command: '^rm ', then: 'deny', why: 'no' },
  ]);
  await sessions.open({ name: 'sh', command: ['bash', '--norc'] });
  await sessions.send('sh', { text: 'sleep 30', until: 'now' });
  await expect(sessions.send('sh', { text: 'rm x', until: 'now' })).rejects.toMatchObject(refused);
});

test('an approved line is typed, once', async () => {
  const { sessions, approvals, nextQuestion } = await begin([askDrop]);
  await sessions.open({ name: 'db', command: ['cat'] });
  const sending = sessions.send('db', { text: 'DROP a' }, { caller: agent });
  const question = await nextQuestion();
  expect(question).toMatchObject({
    act: 'type',
    session: 'db',
    what: 'DROP a\\r',
    foreground: 'cat',
    rule: 1,
    why: 'it is the real one',
    answers: ['once', 'session', 'rule', 'refuse'],
  });
  expect(() => approvals.answer(question.id, 'once', agent)).toThrow(/Only a person/);
  expect(() => approvals.answer(question.id, 'once', { ...person, inside: {} })).toThrow(
    /Only a person/,
  );
  approvals.answer(question.id, 'once', person);
  expect((await sending).output).toContain('DROP a');
  const again = sessions.send('db', { text: 'DROP a' });
  approvals.answer((await nextQuestion()).id, 'refuse', person);
  await expect(again).rejects.toMatchObject({ ...refused, details: { answer: 'refuse' } });
});

test('what is allowed for the session is not asked again there', async () => {
  const { sessions, approvals, nextQuestion } = await begin([askDrop]);
  await sessions.open({ name: 'db', command: ['cat'] });
  const sending = sessions.send('db', { text: 'DROP a' });
  approvals.answer((await nextQuestion()).id, 'session', person);
  await sending;
  expect((await sessions.send('db', { text: 'DROP a' })).output).toContain('DROP a');
  const other = sessions.send('db', { text: 'DROP b' });
  approvals.answer((await nextQuestion()).id, 'refuse', person);
  await expect(other).rejects.toMatchObject(refused);
});

test('a rule made from an approval allows exactly that, for ever', async () => {
  const { sessions, approvals, nextQuestion, paths } = await begin([askDrop]);
  await sessions.open({ name: 'db', command: ['cat'] });
  const sending = sessions.send('db', { text: 'DROP a' });
  approvals.answer((await nextQuestion()).id, 'rule', person);
  await sending;
  const { rules } = JSON.parse(readFileSync(paths.policy, 'utf8'));
  expect(rules).toMatchObject([
    { act: 'type', input: '^DROP a$', foreground: 'cat', then: 'allow' },
    askDrop,
  ]);
  await sessions.send('db', { text: 'DROP a' });
  expect(approvals.waiting).toEqual([]);
});

test('an approval does not answer another question than the one it was given for', async () => {
  const ask: RuleText = { act: 'type', foreground: 'bash', input: '^y$', then: 'ask', why: 'w' };
  const { sessions, approvals, nextQuestion } = await begin([ask]);
  // The question changes when a signal arrives.
  const script = `trap 'printf "\\nDelete B? "' USR1; printf "Delete A? "; while ! read -r x; do :; done; echo got $x`;
  await sessions.open({ name: 'q', command: ['bash', '-c', script] });
  const sending = sessions.send('q', { text: 'y' });
  const first = await nextQuestion();
  expect(first.prompt).toContain('Delete A?');
  const [{ pid } = { pid: 0 }] = await sessions.list();
  process.kill(pid, 'SIGUSR1');
  await sessions.wait({ sessions: ['q'], match: 'Delete B' });
  approvals.answer(first.id, 'once', person);
  await until('it is asked anew', () => approvals.waiting.some(({ id }) => id !== first.id));
  const second = approvals.waiting[0]!;
  expect(second.prompt).toContain('Delete B?');
  approvals.answer(second.id, 'refuse', person);
  await expect(sending).rejects.toMatchObject(refused);
});

test('if nobody answers, it is refused, and the agent is told so', async () => {
  const { sessions } = await begin([askDrop], 50);
  await sessions.open({ name: 'db', command: ['cat'] });
  await expect(sessions.send('db', { text: 'DROP a' })).rejects.toMatchObject({
    ...refused,
    details: { answer: 'nobody' },
  });
});

test('a caller that goes away takes its question with it', async () => {
  const { sessions, approvals, nextQuestion } = await begin([askDrop]);
  await sessions.open({ name: 'db', command: ['cat'] });
  const abort = new AbortController();
  const sending = sessions.send('db', { text: 'DROP a' }, { signal: abort.signal });
  sending.catch(() => {});
  await nextQuestion();
  abort.abort();
  await expect(sending).rejects.toThrow();
  expect(approvals.waiting).toEqual([]);
});

test('a person is not asked, and others can type while a question waits', async () => {
  const { sessions, approvals, nextQuestion } = await begin([askDrop]);
  await sessions.open({ name: 'db', command: ['cat'] });
  const sending = sessions.send('db', { text: 'DROP a' }, { caller: agent });
  sending.catch(() => {});
  const { id } = await nextQuestion();
  const typed = await sessions.send('db', { text: 'DROP b' }, { caller: person });
  expect(typed.output).toContain('DROP b');
  approvals.answer(id, 'refuse', person);
});

test('a broken policy keeps the last good one, and is told', async () => {
  const { sessions, policy, write } = await begin([denyRm]);
  write('{');
  await expect(sessions.run('rm x')).rejects.toMatchObject(refused);
  expect(await policy.notice()).toContain('it is not JSON');
  write([]);
  await sessions.run('rm -f x-that-is-not-there');
  expect(await policy.notice()).toBeUndefined();
});

test('a policy that was never good lets nothing through, until a person switches it off', async () => {
  const { sessions, policy } = await begin('{"rules": [{"then": "deny"}]}');
  await expect(sessions.run('true')).rejects.toMatchObject({
    code: 'POLICY_BROKEN',
    details: { problem: expect.stringContaining('rule 1: it has no "why"') },
  });
  expect(() => policy.switchOff(agent)).toThrow(/Only a person/);
  policy.switchOff(person);
  await expect(sessions.run('true')).resolves.toMatchObject({ exitCode: 0 });
});

test('what a person has switched off holds for nothing, typed lines neither', async () => {
  const { sessions, policy } = await begin([denyRm]);
  await sessions.open({ name: 'sh', command: ['bash', '--norc'] });
  await expect(sessions.send('sh', { text: 'rm -f /nonexistent/x' })).rejects.toMatchObject(
    refused,
  );
  policy.switchOff(person);
  const { output } = await sessions.send('sh', { text: 'rm -f /nonexistent/x; echo $((6 * 7))' });
  expect(output).toContain('42');
});

test('a policy that others can write is not used', async () => {
  const { sessions, write, paths, policy } = await begin([]);
  write([denyRm]);
  chmodSync(paths.policy, 0o666);
  await sessions.run('true');
  expect(await policy.notice()).toContain('other users can write it');
});

test('the audit has every start, input and close, proves its lines, and is for its owner alone', async () => {
  const { sessions, policy, paths } = await begin([]);
  await sessions.open({ name: 'c', command: ['cat'] });
  await sessions.send('c', { text: 'hello' });
  await sessions.close('c');
  policy.verifyAudit();
  const lines = readFileSync(paths.audit, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ what }) => what)).toEqual(['begin', 'policy', 'start', 'input', 'close']);
  expect(lines[3]).toMatchObject({ text: 'hello\r', actor: 'agent', session: 'c' });
  expect(statSync(paths.audit).mode & 0o777).toBe(0o600);
  expect(policy.verifyAudit()).toMatchObject({ verdict: 'intact', proven: 5 });
  const text = readFileSync(paths.audit, 'utf8');
  for (const forged of [
    text.replace('hello', 'hullo'),
    text.split('\n').toSpliced(3, 1).join('\n'),
    text.split('\n').slice(0, 3).join('\n'),
    `${text}{}\n`,
    '',
  ]) {
    writeFileSync(paths.audit, forged);
    expect(policy.verifyAudit().verdict).toBe('broken');
  }
});
