/** Runs awkward commands in one session of a shell, and says what was not as it must be. */
import type { LocalSessions } from '../../src/session/local-sessions.ts';
import type { OpenOptions } from '../../src/session/options/options.ts';
import type { RunResult } from '../../src/session/sessions.ts';
import type { Awkward, Shell } from './awkward.ts';

export const optionsOf = (shell: Shell, home: string): OpenOptions => ({
  ...(shell === 'dash' ? { command: ['dash'] } : { shell: `/usr/bin/${shell}`, clean: true }),
  name: shell,
  env: { HOME: home, PS1: undefined, ENV: undefined, PROMPT_COMMAND: undefined },
});

/** Enough for a megabyte. */
const MAX_TOKENS = 1_000_000;
const TIMEOUT_MS = 20_000;

export const problemsOf = async (
  sessions: LocalSessions,
  shell: Shell,
  home: string,
  commands: readonly Awkward[],
): Promise<string[]> => {
  const problems: string[] = [];
  await sessions.open(optionsOf(shell, home));
  for (const awkward of commands) {
    if (awkward.in && !awkward.in.includes(shell)) continue;
    const found = await tried(sessions, shell, awkward).catch((error) => [String(error)]);
    problems.push(...found.map((problem) => `${shell}, ${awkward.what}: ${problem}`));
    if (awkward.endsShell) {
      await sessions.close(shell);
      await sessions.open(optionsOf(shell, home));
    }
  }
  await sessions.close(shell);
  return problems;
};

const tried = async (
  sessions: LocalSessions,
  shell: Shell,
  { asks, endsShell, timeoutMs = TIMEOUT_MS, ...wanted }: Awkward,
): Promise<string[]> => {
  const problems: string[] = [];
  const differs = (what: string, found: unknown, expected: unknown) =>
    problems.push(`${what} is ${brief(found)}, not ${brief(expected)}`);
  const options = { session: shell, timeoutMs, maxTokens: MAX_TOKENS };
  const result: RunResult = await sessions.run(wanted.command, options);
  const { output = '' } = wanted;
  const isOutput =
    typeof output === 'string' ? result.output === output : output.test(result.output);
  if (!isOutput) differs('the output', result.output, output);
  for (const name of ['exitCode', 'signal'] as const) {
    if (result[name] !== wanted[name]) differs(name, result[name], wanted[name]);
  }
  if (wanted.cwd !== undefined && result.cwd !== wanted.cwd) differs('cwd', result.cwd, wanted.cwd);
  const isTimedOut = asks?.waitingFor === 'time';
  if ((result.timedOut ?? false) !== isTimedOut) differs('timedOut', result.timedOut, isTimedOut);
  if (asks && !isTimedOut) {
    if (result.waitingFor !== asks.waitingFor)
      differs('waitingFor', result.waitingFor, asks.waitingFor);
    if (asks.prompt !== undefined && result.prompt !== asks.prompt)
      differs('the prompt', result.prompt, asks.prompt);
  }
  if (asks?.keys) await sessions.send(shell, { keys: asks.keys });
  if (asks?.answer) {
    const answered = await sessions.send(shell, { text: asks.answer });
    if (answered.output.trim() !== asks.said) differs('the answer', answered.output, asks.said);
  }
  if (endsShell) return problems;
  const probe = await sessions.run('echo probe', { session: shell });
  if (probe.output !== 'probe' && !/^dbg\nprobe$/.test(probe.output))
    differs('the next output', probe.output, 'probe');
  return problems;
};

const brief = (value: unknown): string => {
  const text = value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'undefined');
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length})` : text;
};
