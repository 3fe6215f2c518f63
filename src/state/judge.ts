/**
 * Decides whose turn it is, from evidence gathered elsewhere.
 *
 * Nothing here reads a clock, a file or a terminal: `evidence/` observes, `judge` decides, and
 * `watcher.ts` judges again when the evidence may have changed. Rules are in order of strength. They
 * know programs only by what they do, never by name. A verdict names the evidence it rests on.
 */

import type { KernelEvidence } from '../system/foreground/kernel-evidence.ts';
import type { TerminalWait } from '../system/foreground/observe-thread.ts';
import type { Exit } from '../system/process/reaper.ts';
import { activityOfThreads, foregroundThread, isThreadBusy } from './activity.ts';
import type { ShellEvidence } from './evidence/shell.ts';
import type { SilenceEvidence } from './evidence/silence.ts';
import type { TerminalEvidence } from './evidence/terminal.ts';
import { relateBusyProcesses, withoutReaderChildren } from './process-relations.ts';
import type { Activity, Certainty, Verdict } from './verdict.ts';
import { waitingVerdict } from './waiting-verdict.ts';

/** What is known at one moment. A missing field means "no such evidence". */
export interface Evidence {
  exit?: Exit;
  /** Absent if the program has no terminal of ours, or /proc cannot be read. */
  kernel?: KernelEvidence;
  terminal: TerminalEvidence;
  /** Absent if no shell has printed a mark. */
  shell?: ShellEvidence;
  silence: SilenceEvidence;
}

/** What is known at one moment, and what follows from it. */
export interface Observation {
  evidence: Evidence;
  verdict: Verdict;
}

/** A screen unchanged for this long is painted: programs draw in bursts of a few ms. */
const PAINTED_MS = 30;
/** How much silence a guess needs: longer than most pauses within one answer. */
const QUIET_MS = 1000;

export const judge = (evidence: Evidence): Verdict => {
  const { exit, kernel } = evidence;
  if (exit !== undefined) return { state: 'exited', certainty: 'certain', because: 'it exited' };
  // No threads: the foreground belongs to another user, and /proc hides it (hidepid).
  const isHidden =
    kernel === undefined ||
    kernel.threads.length === 0 ||
    kernel.threads.some(({ doing }) => doing === 'hidden');
  const foreground = kernel && foregroundThread(kernel.threads)?.name;
  return {
    ...(isHidden ? judgeHidden(evidence) : judgeVisible(evidence, kernel)),
    ...(foreground !== undefined && { foreground }),
  };
};

/** All foreground threads can be seen in /proc. */
const judgeVisible = (evidence: Evidence, kernel: KernelEvidence): Verdict => {
  const { threads } = kernel;
  const waits = threads.flatMap(({ terminalWait }) => terminalWait ?? []);

  // All foreground threads are stopped, and there is no shell with job control: it would have taken
  // the terminal back from a stopped job.
  if (threads.length > 0 && threads.every(({ doing }) => doing === 'stopped')) {
    return working('stopped', 'the program is stopped by a signal');
  }
  // The program works as long as it has not read its input: for example, a line was typed during
  // `sleep 5`, or this is the moment between typing and reading.
  if (kernel.hasUnreadInput) {
    return working(activityOfThreads(threads), 'it has not read what was typed');
  }
  if (waits.length === 0) return judgeWithoutReader(evidence, kernel);
  // A shell that has marked its prompt waits, even if a job works in the shell's process group. For
  // example, fish generates its completions like this at its first start.
  const ownPrompt = waitAtOwnPrompt(evidence, kernel);
  if (ownPrompt !== undefined) {
    return waitingVerdict(
      evidence,
      kernel,
      ownPrompt,
      'certain',
      'the shell has marked its prompt',
    );
  }
  if (threads.some(isThreadBusy)) return judgeReaderBesideWorker(evidence, kernel);
  const relay = waits.find(
    ({ isBlindRelay, alsoWaitsForPeer }) => isBlindRelay || alsoWaitsForPeer,
  );
  if (relay !== undefined) return judgeRelay(evidence, kernel, relay);

  const onlyWait = waits.find((wait) => wait.isOnlyTarget);
  // A thread with a time-out may start to work soon. For example, fzf reads keys in one thread, and
  // searches in another after a short sleep.
  const willGoOn = threads.some(({ wakesByItself }) => wakesByItself);
  if (onlyWait !== undefined && !willGoOn) {
    return waitingVerdict(
      evidence,
      kernel,
      onlyWait,
      'certain',
      'it sleeps until the terminal has input',
    );
  }
  const [wait] = waits as [TerminalWait];
  // An event loop waits if it has begun to read a new line since the last input. It shows that by
  // switching bracketed paste on, as gdb, ipython and fish do.
  if (evidence.terminal.pasteOnSinceInput && !evidence.terminal.alternateScreen) {
    return waitingVerdict(evidence, kernel, wait, 'certain', 'it has begun to read a line');
  }
  if (evidence.shell?.at === 'prompt' && evidence.shell.sinceInput) {
    return waitingVerdict(evidence, kernel, wait, 'certain', 'the shell has marked its prompt');
  }
  return judgeEventLoop(evidence, kernel, wait);
};

const waitAtOwnPrompt = (
  { shell }: Evidence,
  { threads }: KernelEvidence,
): TerminalWait | undefined => {
  if (shell?.at !== 'prompt' || !shell.sinceInput || shell.isWithin) return undefined;
  const own = threads.find(({ pid, terminalWait }) => pid === shell.ownPid && terminalWait);
  return own?.terminalWait;
};

/** One thread reads the terminal, another works: the answer to the last input may not be done. */
const judgeReaderBesideWorker = (evidence: Evidence, kernel: KernelEvidence): Verdict => {
  const { threads } = kernel;
  const activity = activityOfThreads(threads);
  const workers = relateBusyProcesses(threads);
  if (workers === 'reader-is-busy') {
    return working(activity, 'a thread works while another reads the terminal');
  }
  if (workers === 'only-its-children') {
    const verdict = judgeVisible(evidence, { ...kernel, threads: withoutReaderChildren(threads) });
    const isShell = threads.some(({ terminalWait }) => terminalWait?.isShell);
    // The reader waits if it would wait without its children. For example, a REPL has started a job
    // and does not wait for it, or fish without marks generates its completions at its first start.
    if (verdict.state === 'waiting' && (isShell || verdict.certainty === 'certain')) {
      const { surelyWaits: _, ...rest } = verdict;
      const because = 'it waits for the terminal, and only what it has started works';
      return { ...rest, certainty: 'likely', because };
    }
  }
  return working(activity, 'a process works while another reads the terminal', 'likely');
};

/** The terminal is one of several things the program waits for: it may be busy with the others. */
const judgeEventLoop = (
  evidence: Evidence,
  kernel: KernelEvidence,
  wait: TerminalWait,
): Verdict => {
  const { terminal, shell } = evidence;
  // A shell with marks is still at its prompt until it marks something else. For example, fish is an
  // event loop while a line is half typed or incomplete.
  if (shell?.at === 'prompt' && shell.ownPid !== undefined && !shell.isWithin && wait.isShell) {
    return waitingVerdict(evidence, kernel, wait, 'likely', 'it has marked its prompt before');
  }
  if (isPainted(evidence)) {
    return waitingVerdict(
      evidence,
      kernel,
      wait,
      'likely',
      'it also waits for the terminal, its screen is painted',
    );
  }
  // Text before the cursor is taken for a prompt. For example, a node REPL is at its prompt. While it
  // waits for a promise it looks the same, except that nothing is before the cursor.
  if (!terminal.alternateScreen && terminal.beforeCursor.trim() !== '') {
    return waitingVerdict(
      evidence,
      kernel,
      wait,
      'likely',
      'it also waits for the terminal, after a prompt',
    );
  }
  return working('not known', 'it waits for more than the terminal, and shows no prompt', 'likely');
};

/**
 * The reader is the client of a program that we cannot see, and only that program matters. It is
 * ssh, for example, or the client of a container or a multiplexer.
 */
const judgeRelay = (evidence: Evidence, kernel: KernelEvidence, wait: TerminalWait): Verdict => {
  const { terminal, shell, silence } = evidence;
  const likely = (because: string) => waitingVerdict(evidence, kernel, wait, 'likely', because);
  if (shell?.at === 'prompt' && shell.sinceInput) {
    return likely('the shell behind it has marked its prompt');
  }
  if (terminal.pasteOnSinceInput && !terminal.alternateScreen) {
    return likely('the program behind it has begun to read a line');
  }
  const isPrompt = !terminal.alternateScreen && terminal.beforeCursor.trim() !== '';
  if (!isPrompt && !isPainted(evidence)) {
    return working(
      'on the network',
      'it also waits for a connection, and shows no prompt',
      'likely',
    );
  }
  // If the screen is older than the last input, the answer is still under way, for example over a slow
  // ssh connection.
  if (silence.outputMs > silence.inputMs || (isPrompt && terminal.isEcho)) {
    return silence.outputMs >= QUIET_MS && silence.inputMs >= QUIET_MS
      ? waitingVerdict(
          evidence,
          kernel,
          wait,
          'guess',
          `the terminal behind it shows a prompt, unchanged for ${QUIET_MS} ms`,
        )
      : working('on the network', 'the terminal behind it has not answered yet', 'likely');
  }
  return likely(
    isPrompt ? 'the program behind it shows a prompt' : 'the screen behind it is painted',
  );
};

/** No foreground thread waits for the terminal. */
const judgeWithoutReader = (evidence: Evidence, kernel: KernelEvidence): Verdict => {
  const { terminal, silence } = evidence;
  const { threads, lineMode } = kernel;
  if (threads.some(({ blockedOn }) => blockedOn === 'the terminal to take output')) {
    return working('stopped by Ctrl-S', 'it cannot write: the terminal was stopped (type C-q)');
  }
  // A program with a painted screen takes keys even if it never waits for the terminal. `watch` and
  // `less +F`, for example, sleep and check the terminal now and then. But a program that reads a
  // pipe may be a progress bar, which only shows how far another process has come.
  const isIdle = threads.every(
    ({ doing, blockedOn }) => doing === 'blocked' && blockedOn !== 'a pipe',
  );
  if (isPainted(evidence) && isIdle) {
    return {
      state: 'waiting',
      waitingFor: 'key',
      certainty: 'likely',
      because: 'a full screen is painted and stable',
    };
  }
  // A prompt without echo asks for a secret, even if the reader is not in the foreground. For
  // example, a helper of gpg's daemon asks for the passphrase while gpg waits for the daemon. After
  // the passphrase has been typed, the prompt is older than the input.
  const isSecret = lineMode.canonical && !lineMode.echo && terminal.beforeCursor.trim() !== '';
  const isNew = silence.outputMs <= silence.inputMs;
  const waitsForOthers = threads.some(({ blockedOn }) => blockedOn === 'the network');
  if (isSecret && isNew && waitsForOthers && threads.every(({ doing }) => doing === 'blocked')) {
    return {
      state: 'waiting',
      waitingFor: 'secret',
      certainty: 'likely',
      because: 'the terminal does not echo, after a prompt',
      prompt: terminal.beforeCursor,
    };
  }
  const isKnown = threads.every(({ blockedOn }) => blockedOn !== 'a call we do not know');
  return working(
    activityOfThreads(threads),
    'nothing in the foreground waits for the terminal',
    isKnown ? 'certain' : 'likely',
  );
};

/** /proc does not show what the program does: another user's program, or a machine that hides it. */
const judgeHidden = (evidence: Evidence): Verdict => {
  const { kernel, terminal, shell, silence } = evidence;
  const isQuiet = silence.outputMs >= QUIET_MS;
  const wait = { isOnlyTarget: false, alsoWaitsForPeer: false, isShell: false, isBlindRelay: true };
  const waitingBecause = (certainty: Certainty, because: string) =>
    waitingVerdict(evidence, kernel, wait, certainty, because);
  // A terminal without echo asks for a secret. Its settings can always be read, even if the program
  // hides, as sudo does when it asks an ordinary user for a password.
  if (kernel?.lineMode.canonical && !kernel.lineMode.echo && !kernel.hasUnreadInput) {
    return waitingBecause('likely', 'the terminal does not echo');
  }
  if (shell?.at === 'prompt' && shell.sinceInput) {
    return waitingBecause('likely', 'the shell has marked its prompt');
  }
  if (terminal.pasteOnSinceInput) return waitingBecause('likely', 'it has begun to read a line');
  if (isPainted(evidence)) return waitingBecause('likely', 'a full screen is painted and stable');
  if (!terminal.alternateScreen && terminal.beforeCursor.trim() !== '' && isQuiet) {
    return waitingBecause('guess', `it is silent after a prompt, for ${QUIET_MS} ms`);
  }
  return working('not known', 'the program hides what it does', 'guess');
};

const isPainted = ({ terminal, silence }: Evidence) =>
  terminal.alternateScreen && !terminal.isDrawing && silence.outputMs >= PAINTED_MS;

const working = (
  activity: Activity,
  because: string,
  certainty: Certainty = 'certain',
): Verdict => ({
  state: 'working',
  activity,
  certainty,
  because,
});
