/** A person answers agents' questions at a terminal. */
import { expect, test as plainTest } from 'vitest';
import { answerIn } from '../../../src/cli/policy/watch-approvals.ts';
import type { DaemonSessions } from '../../../src/daemon/client/daemon-sessions.ts';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { personInTmux } from '../../helpers/cli/tmux.ts';
import { writePolicy } from '../../helpers/daemon/write-policy.ts';
import { testWith } from '../../helpers/needs.ts';
import { until } from '../../helpers/until.ts';

const test = testWith('tmux', 'bash');

const begin = async (size = { cols: 90, rows: 25 }) => {
  const cli = ownCli();
  writePolicy(cli.daemon, [{ command: '^rm ', then: 'ask', why: 'it removes files' }]);
  const person = await personInTmux(cli.env, size);
  const sessions = await cli.daemon.connect();
  const run = (agent: DaemonSessions, command: string) => {
    const running = agent.run(command);
    running.catch(() => {});
    return running;
  };
  return { cli, person, sessions, run: (command: string) => run(sessions, command) };
};

plainTest('an answer is a word, or as much of it as is clear; a blank line is none', () => {
  const answers = ['once', 'session', 'rule', 'refuse'] as const;
  const read = (line: string) => answerIn(line, answers);
  expect(['o', 'once', ' Session ', 're', 'ru'].map(read)).toEqual([
    'once',
    'once',
    'session',
    'refuse',
    'rule',
  ]);
  expect(['', ' ', 'r', 'y', 'oncee', 'rm'].map(read)).toEqual(Array(6).fill(undefined));
  expect(answerIn('r', ['once', 'refuse'])).toBe('refuse');
});

test('questions come one after another, and nothing but an answer answers them', async () => {
  const { person, sessions, run } = await begin();
  await person.enter('repartee approvals');
  await person.sees(/waiting for questions/);
  const first = run("rm -f /nonexistent/$'\\e]0;title\\a' && echo gone");
  await person.sees(/wants to run: rm -f/);
  await person.press('Space', 'Enter');
  await person.sees(/say one of|once, session, rule, refuse\?|once, rule, refuse\?/);
  await person.enter('r');
  await person.sees(/say one of: once, session, rule, refuse/);
  expect((await sessions.approvals()).waiting).toHaveLength(1);
  await person.enter('once');
  expect((await first).output).toContain('gone');
  const second = run('rm -f /nonexistent/\u001b[2Jb');
  await person.sees(/nonexistent\/␛\[2Jb/);
  await person.enter('refuse');
  await expect(second).rejects.toMatchObject({ details: { answer: 'refuse' } });
  await person.press('C-c');
  await person.sees(/^\$$/);
  await sessions[Symbol.asyncDispose]();
});

test('what is typed for a question that has gone does not answer the next one', async () => {
  const { cli, person, sessions, run } = await begin();
  await person.enter('repartee approvals');
  await person.sees(/waiting for questions/);
  const first = run('rm -f /nonexistent/first');
  await person.sees(/nonexistent\/first/);
  const second = run('rm -f /nonexistent/second');
  await until('both wait', async () => (await sessions.approvals()).waiting.length === 2);
  // Typed, but for the Enter.
  await person.type('once');
  const other = await personInTmux(cli.env);
  await other.enter('repartee approvals 1 refuse; echo "[$?]"');
  await expect(first).rejects.toMatchObject({ details: { answer: 'refuse' } });
  await person.sees(/nonexistent\/second/);
  await person.press('Enter');
  await person.press('C-c');
  await person.sees(/^\$$/);
  expect((await sessions.approvals()).waiting).toMatchObject([{ id: 2 }]);
  await other.enter('repartee approvals 2 refuse; echo "again [$?]"');
  await expect(second).rejects.toMatchObject({ details: { answer: 'refuse' } });
  await sessions[Symbol.asyncDispose]();
});

test('a window of 20 columns and 5 rows shows what matters', async () => {
  const { person, sessions, run } = await begin({ cols: 20, rows: 5 });
  await person.enter('repartee approvals');
  await person.sees(/Ctrl-C ends it|ends it/);
  const running = run(`rm -f /nonexistent/${'a'.repeat(5000)} && echo gone`);
  await person.sees(/refuse\?/);
  await person.resize(60, 10);
  await person.enter('refuse');
  await expect(running).rejects.toMatchObject({ details: { answer: 'refuse' } });
  await sessions[Symbol.asyncDispose]();
});

test('who watches goes on with the next daemon', async () => {
  const { cli, person, sessions } = await begin();
  await person.enter('repartee approvals');
  await person.sees(/waiting for questions/);
  await sessions[Symbol.asyncDispose]();
  await cli.run('daemon', 'stop');
  await using later = await cli.daemon.connect();
  const running = later.run('rm -f /nonexistent/a; echo gone');
  await person.sees(/wants to run: rm -f/);
  await person.enter('once');
  expect((await running).output).toContain('gone');
});
