import { LOST_MARK } from '../../dialects/native/hints.ts';
import { toJsonResult } from '../../dialects/native/results.ts';
import { describeSessionState, noticeText } from '../../dialects/native/text.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import { callDefaults } from '../../session/options/options.ts';
import type { RunResult, Sessions } from '../../session/sessions.ts';
import { shellExitStatus } from '../../system/process/describe-exit.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { EXIT_RUN_FAILED, EXIT_RUN_NEEDS_INPUT, EXIT_RUN_TIMED_OUT } from '../exit-codes.ts';
import { forwardSignals } from '../forward-signals.ts';
import { hostOption, refuseSandboxOnHost } from '../hosts/host-option.ts';
import { printJson, printRemark, printText, UNLIMITED_TOKENS } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import { sandboxOf, sandboxOptions } from '../sandbox-options.ts';
import { timeoutOption } from '../wait-options.ts';
import { withDaemonOfSession, withSpinner, withStartedDaemonAt } from '../with-daemon.ts';

export const runCommand = defineCommand({
  name: 'run',
  summary: 'run one shell command: its output, its exit code',
  words: [{ usage: '[NAME]', sessions: true }],
  options: {
    ...hostOption,
    ...timeoutOption(callDefaults.runMs),
    ...sandboxOptions,
    ...jsonOption,
  },
  program: { usage: '-- CMD…', begin: 'after --' },
  notes: [
    'With NAME it runs in the shell of that session, otherwise in a fresh one.',
    'Ctrl-C interrupts the command.',
    'The words after -- are joined with spaces into a command line, as ssh does it.',
    "Exit codes: the command's own; 124 time was up, 126 it waits for input (both: the session lives, and is named); 125 we failed.",
  ],
  examples: [
    ['repartee run -- npm test', 'its output and its exit code'],
    ["repartee run build -- 'cd lib && make'", 'in the shell of session build, which stays in lib'],
  ],
  failureCode: EXIT_RUN_FAILED,
  async run({ values, words: [session, ...more], after = [] }) {
    const commandLine = after.join(' ');
    if (more.length > 0 || commandLine === '')
      throw new UsageError('Put the command after --. For example: repartee run -- npm test');
    const sandbox = sandboxOf(values);
    if (session !== undefined && sandbox.profile !== undefined)
      throw new UsageError(
        '--sandbox is for a fresh shell: a session has its own since it was opened.',
      );
    refuseSandboxOnHost(values);
    if (session !== undefined && values.host !== undefined)
      throw new UsageError('--host is for a fresh shell: a session is where it was opened.');
    const options = {
      ...ifDefined('host', values.host),
      maxTokens: UNLIMITED_TOKENS,
      ...ifDefined('session', session),
      timeoutMs: values.timeout,
    };
    const runIn = (sessions: Sessions) =>
      forwardSignals(sessions, session, (onSession) =>
        withSpinner(commandLine, ({ onProgress }) =>
          sessions.run(commandLine, options, {
            onProgress: (progress) => {
              onSession(progress.session);
              onProgress?.(progress);
            },
          }),
        ),
      );
    const result = await (session === undefined
      ? withStartedDaemonAt(values.host, runIn, sandbox)
      : withDaemonOfSession(session, runIn));
    if (typeof result === 'string') return shellExitStatus({ signal: result })!;
    if (values.json) printJson(toJsonResult(result));
    else {
      // The output of a command that has ended is printed exactly, with or without a last newline.
      if (hasEnded(result) && result.endsLine !== undefined)
        process.stdout.write(`${result.output}${result.endsLine ? '\n' : ''}`);
      else printText(result.output);
      if (result.endMark === 'lost')
        printRemark(`[${result.session}: ended, exit code unknown: ${LOST_MARK}; run works on]`);
      else if (!hasEnded(result) || result.omitted || result.hidden)
        printRemark(`[${result.session}: ${describeSessionState(result)}]`);
      if (result.notice !== undefined) printRemark(noticeText(result));
    }
    return exitCodeOf(result);
  },
});

const hasEnded = ({ exitCode, signal }: RunResult): boolean =>
  exitCode !== undefined || signal !== undefined;

const exitCodeOf = (result: RunResult): number => {
  const status = shellExitStatus({ code: result.exitCode, signal: result.signal });
  if (status !== undefined) return status;
  // It has ended, but nobody knows how.
  if (result.endMark === 'lost') return EXIT_RUN_FAILED;
  return result.state === 'waiting' && !result.timedOut ? EXIT_RUN_NEEDS_INPUT : EXIT_RUN_TIMED_OUT;
};
