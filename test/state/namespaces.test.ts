/** Programs behind relays and sandboxes, with terminals and process numbers of their own. */
import { spawnSync } from 'node:child_process';
import { describe, expect, onTestFinished, type TestAPI, test } from 'vitest';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { testWith } from '../helpers/needs.ts';

const openIn = async (command: readonly string[]) => {
  const sessions = new LocalSessions();
  onTestFinished(async () => {
    await sessions.closeAll({ force: true, graceMs: 0 });
  });
  const { state, waitingFor, certainty } = await sessions.open({ command, timeoutMs: 10_000 });
  return [state, waitingFor, certainty];
};

const GETPASS = 'stty -echo; printf "PIN: "; read x';
const PROMPT = 'printf "Your name: "; read x';

/** A root of its own, with a /dev, terminals and process numbers of its own. */
const sandbox = [
  ...['bwrap', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--unshare-pid'],
];

/** A container may not be allowed to have another one inside it. */
const isAllowed = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;
const withBwrap = testWith('bwrap', 'script');
const inSandbox = ((title: string, run: () => Promise<void>) =>
  isAllowed
    ? withBwrap(title, run)
    : test.skip(`${title} (skipped: bwrap may not be used here)`, run)) as TestAPI;

describe.each([
  ['a terminal of its own', [...sandbox, 'script', '-qc'], ['/dev/null']],
  ['no controlling terminal', [...sandbox, '--new-session', 'sh', '-c'], []],
])('in a sandbox with %s', (_what, before, after) => {
  inSandbox('a program that asks for a line', async () => {
    const verdict = await openIn([...before, PROMPT, ...after]);
    expect(verdict).toEqual(['waiting', 'line', 'certain']);
  });

  inSandbox('a program that asks for a secret', async () => {
    const verdict = await openIn([...before, GETPASS, ...after]);
    expect(verdict).toEqual(['waiting', 'secret', 'certain']);
  });

  inSandbox('a program that works', async () => {
    const sessions = new LocalSessions();
    onTestFinished(async () => {
      await sessions.closeAll({ force: true, graceMs: 0 });
    });
    const command = [...before, 'printf begun; sleep 1000', ...after];
    await sessions.open({ command, name: 'it', timeoutMs: 1 });
    await sessions.wait({ match: 'begun' });
    expect(await sessions.read('it')).toMatchObject({ state: 'working' });
  });
});

describe('of two terminals inside ours', () => {
  const spawn = (first: string, second: string) => [
    ...['expect', '-c', `spawn sh -c {${first}}; spawn sh -c {${second}}; interact`],
  ];

  testWith('expect')(
    'one that shows what is typed keeps a secret from being asked for',
    async () => {
      // It is the second with which expect lets us speak.
      expect(await openIn(spawn(GETPASS, PROMPT))).toEqual(['waiting', 'line', 'certain']);
      expect(await openIn(spawn(PROMPT, GETPASS))).toEqual(['waiting', 'line', 'likely']);
    },
  );

  testWith('expect')('a secret is asked for if both ask for it', async () => {
    expect(await openIn(spawn(GETPASS, GETPASS))).toEqual(['waiting', 'secret', 'certain']);
  });
});
