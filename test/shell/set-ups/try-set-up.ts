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
  exitCode?: number | undefined;
  endMark?: string | undefined;
  cwd?: string | undefined;
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
    if (setUp.typed !== undefined) await sessions.run(setUp.typed, { session: 'sh' });
    const problems: string[] = [];
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

const problemOf = async (
  sessions: LocalSessions,
  tried: TriedCommand,
  setUp: SetUp,
  home: string,
): Promise<string | undefined> => {
  const seen = await attempt(sessions, tried).catch((error) => error as Error);
  if (seen instanceof Error)
    return isMarksGone(seen) && setUp.marks === 'gone' ? undefined : seen.message;
  const output = withoutAdded(seen.output, setUp.adds);
  const { marks = 'shell' } = setUp;
  const isRight =
    (matches(output, tried.output) || (setUp.isMute && tried.output instanceof RegExp)) &&
    !/repartee_|133;/.test(seen.output) &&
    (seen.exitCode === undefined || seen.cwd === home) &&
    (tried.isSent ||
      tried.answer !== undefined ||
      [tried.exitCode].flat().includes(seen.exitCode ?? -1)) &&
    (tried.isSent || marks === 'gone' || seen.endMark === marks || tried.command.includes('\t'));
  return isRight ? undefined : JSON.stringify(seen);
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
  if (answered.waitingFor === 'command') return { ...answered, endMark: Object(first).endMark };
  return { ...answered, output: `no prompt: ${answered.output}` };
};

const isMarksGone = (error: Error): boolean => Object(error).code === 'MARKS_GONE';

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
