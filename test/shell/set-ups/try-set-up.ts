/** Runs the commands in a shell with a set-up, and tells what went wrong. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { commandsOf, type TriedCommand } from './commands.ts';
import type { SetUp } from './set-up.ts';

export type TriedShell = keyof typeof commandsOf;

const rcFile = { bash: '.bashrc', zsh: '.zshrc', fish: '.config/fish/config.fish' };

/** With this folder, fish does not generate completions from all manual pages at its start. */
const noCompletions = { '.local/share/fish/generated_completions/none': '' };

const makeHome = (shell: TriedShell, { rc = '', files = {} }: SetUp): string => {
  const home = mkdtempSync(join(tmpdir(), 'repartee-home-'));
  const all = { ...(shell === 'fish' && noCompletions), [rcFile[shell]]: rc, ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
};

const environmentWith = (home: string) => ({
  HOME: home,
  INPUTRC: undefined,
  PROMPT_COMMAND: undefined,
  PS1: undefined,
  ZDOTDIR: undefined,
  XDG_CONFIG_HOME: undefined,
  XDG_DATA_HOME: undefined,
});

interface Seen {
  output: string;
  exitCode?: number;
  endMark?: string;
  cwd?: string;
}

/** A sentence for each command that did not give exactly what it should have. */
export const problemsWith = async (shell: TriedShell, setUp: SetUp): Promise<string[]> => {
  const home = makeHome(shell, setUp);
  const sessions = new LocalSessions();
  try {
    const options = {
      shell: `/usr/bin/${shell}`,
      name: 'sh',
      cwd: home,
      env: environmentWith(home),
    };
    const opened = await sessions.open(options);
    if (opened.waitingFor !== 'command') return [`opened: ${JSON.stringify(opened)}`];
    const problems = await typeSetUp(sessions, setUp);
    for (const tried of commandsOf[shell]) {
      const problem = await problemOf(sessions, tried, setUp, home);
      if (problem !== undefined) problems.push(`${tried.what}: ${problem}`);
    }
    return [...problems, ...(await checkProblems(sessions, setUp))];
  } finally {
    await sessions.closeAll({ graceMs: 0, force: true });
    rmSync(home, { recursive: true, force: true });
  }
};

/** The command that changes the set-up may remove the marks. Then its exit code is unknown, not wrong. */
const typeSetUp = async (sessions: LocalSessions, { typed }: SetUp): Promise<string[]> => {
  if (typed === undefined) return [];
  const result = await sessions.run(typed, { session: 'sh' });
  const isLost = result.endMark === 'lost' && result.exitCode === undefined;
  return isLost || result.exitCode === 0 ? [] : [`${typed}: ${JSON.stringify(result)}`];
};

const problemOf = async (
  sessions: LocalSessions,
  tried: TriedCommand,
  setUp: SetUp,
  home: string,
): Promise<string | undefined> => {
  const seen = await attempt(sessions, tried).catch((error) => error as Error);
  if (seen instanceof Error) return seen.message;
  const { adds, isMute = false, isOverdrawn = false, marks = 'shell' } = setUp;
  // The result of `send` has no exit code.
  const isSent = tried.isSent || tried.answer !== undefined;
  const isSaidElsewhere = (isMute && tried.output instanceof RegExp) || (isOverdrawn && isSent);
  const isOutputRight =
    (isSaidElsewhere || matches(withoutAdded(seen.output, adds), tried.output)) &&
    !/repartee_|133;/.test(seen.output);
  const isEndRight =
    seen.endMark === marks &&
    seen.cwd === home &&
    [tried.exitCode].flat().includes(seen.exitCode ?? -1);
  return isOutputRight && (isSent || isEndRight) ? undefined : JSON.stringify(seen);
};

const attempt = async (sessions: LocalSessions, tried: TriedCommand): Promise<Seen> => {
  const { command, answer, isSent } = tried;
  // What the set-up has printed at its prompts is there to be read, but is not the answer.
  if (isSent || answer !== undefined) await sessions.read('sh');
  const first = isSent
    ? await sessions.send('sh', { text: command })
    : await sessions.run(command, { session: 'sh' });
  if (answer === undefined) return first;
  if (first.waitingFor !== 'line') return { ...first, output: `did not ask: ${first.output}` };
  const answered = await sessions.send('sh', { text: answer });
  if (answered.waitingFor === 'command') return answered;
  return { ...answered, output: `no prompt: ${answered.output}` };
};

const withoutAdded = (output: string, adds: RegExp | undefined): string =>
  adds === undefined
    ? output
    : output
        .split('\n')
        .filter((line) => !adds.test(line))
        .join('\n');

const matches = (text: string, expected: string | RegExp): boolean =>
  typeof expected === 'string' ? text === expected : expected.test(text);

const checkProblems = async (sessions: LocalSessions, { check }: SetUp): Promise<string[]> => {
  if (check === undefined) return [];
  const { output } = await sessions.run(check.command, { session: 'sh' });
  return matches(output, check.output) ? [] : [`${check.command}: ${output}`];
};
