/**
 * Decides whose turn it is, from evidence gathered elsewhere.
 *
 * Nothing here reads a clock, a file or a terminal: `evidence/` observes, `judge` decides, and
 * `watcher.ts` judges again when the evidence may have changed. Rules are in order of strength. They
 * know programs only by what they do, never by name. A verdict names the evidence it rests on.
 */

import type { KernelEvidence } from '../system/foreground/kernel-evidence.ts';
import type { TerminalWait, ThreadEvidence } from '../system/foreground/thread.ts';
import type { Exit } from '../system/process/reaper.ts';
import { activityOf, isThreadBusy } from './activity.ts';
import type { ShellEvidence } from './evidence/shell.ts';
import type { SilenceEvidence } from './evidence/silence.ts';
import type { TerminalEvidence } from './evidence/terminal.ts';
import { withoutReaderChildren, workerRelation } from './process-relations.ts';
import type { Activity, Certainty, Verdict } from './verdict.ts';
import { classifyWait, doubtAboutWait, isInnerShellIdle } from './waiting-for.ts';

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

  // A stopped job, and no shell that would have taken the terminal back.
  if (threads.length > 0 && threads.every(({ doing }) => doing === 'stopped')) {
    return working('stopped', 'the program is stopped by a signal');
  }
  // A line typed during `sleep 5`. Also the moment between typing and reading.
  if (kernel.hasUnreadInput) {
    return working(activityOf(threads), 'it has not read what was typed');
  }
  if (waits.length === 0) return judgeWithoutReader(evidence, kernel);
  // A job may work in the same process group as its shell: fish makes its completions like this at
  // its first start.
  const ownPrompt = waitAtOwnPrompt(evidence, kernel);
  if (ownPrompt !== undefined) {
    return waiting(evidence, kernel, ownPrompt, 'certain', 'the shell has marked its prompt');
  }
  if (threads.some(isThreadBusy)) return judgeReaderBesideWorker(evidence, kernel);
  const relay = waits.find(({ isBlindRelay, withPeer }) => isBlindRelay || withPeer);
  if (relay !== undefined) return judgeRelay(evidence, kernel, relay);

  const alone = waits.find((wait) => wait.alone);
  // A finder reads keys in one thread, and searches in another after a short sleep.
  const willGoOn = threads.some(({ wakesByItself }) => wakesByItself);
  if (alone !== undefined && !willGoOn) {
    return waiting(evidence, kernel, alone, 'certain', 'it sleeps until the terminal has input');
  }
  const [wait] = waits as [TerminalWait];
  // gdb, ipython, fish: an event loop that has started a new line since the last input.
  if (evidence.terminal.pasteOnSinceInput && !evidence.terminal.alternateScreen) {
    return waiting(evidence, kernel, wait, 'certain', 'it has begun to read a line');
  }
  if (evidence.shell?.at === 'prompt' && evidence.shell.sinceInput) {
    return waiting(evidence, kernel, wait, 'certain', 'the shell has marked its prompt');
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

/** One thread reads the terminal, another works: input would be read, but the answer may not be done. */
const judgeReaderBesideWorker = (evidence: Evidence, kernel: KernelEvidence): Verdict => {
  const { threads } = kernel;
  const activity = activityOf(threads);
  const workers = workerRelation(threads);
  if (workers === 'itself') {
    return working(activity, 'a thread works while another reads the terminal');
  }
  if (workers === 'its own') {
    const verdict = judgeVisible(evidence, { ...kernel, threads: withoutReaderChildren(threads) });
    const isShell = threads.some(({ terminalWait }) => terminalWait?.isShell);
    // A REPL that has started a job and does not wait for it; fish without marks at its first start.
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
  // fish, with a line that is half typed or not complete.
  if (shell?.at === 'prompt' && shell.ownPid !== undefined && !shell.isWithin && wait.isShell) {
    return waiting(evidence, kernel, wait, 'likely', 'it has marked its prompt before');
  }
  if (isPainted(evidence)) {
    return waiting(
      evidence,
      kernel,
      wait,
      'likely',
      'it also waits for the terminal, its screen is painted',
    );
  }
  // A node REPL at its prompt. With a promise pending it looks the same except for the cursor.
  if (!terminal.alternateScreen && terminal.beforeCursor.trim() !== '') {
    return waiting(
      evidence,
      kernel,
      wait,
      'likely',
      'it also waits for the terminal, after a prompt',
    );
  }
  return working('not known', 'it waits for more than the terminal, and shows no prompt', 'likely');
};

/** ssh, or the client of a container or a multiplexer: the program that matters is on the other side. */
const judgeRelay = (evidence: Evidence, kernel: KernelEvidence, wait: TerminalWait): Verdict => {
  const { terminal, shell, silence } = evidence;
  const likely = (because: string) => waiting(evidence, kernel, wait, 'likely', because);
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
  // ssh over a slow connection: the screen is older than the last input, which is still on its way.
  if (silence.outputMs > silence.inputMs || (isPrompt && terminal.isEcho)) {
    return silence.outputMs >= QUIET_MS && silence.inputMs >= QUIET_MS
      ? waiting(
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
  // `watch`, `less +F`: they sleep, check the terminal now and then, and never wait for it. But a
  // progress bar that is fed through a pipe only shows how far another process has come.
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
  // gpg: a daemon's helper asks for the passphrase while gpg itself waits for the daemon. Once the
  // passphrase is typed, the prompt is older than the input.
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
    activityOf(threads),
    'nothing in the foreground waits for the terminal',
    isKnown ? 'certain' : 'likely',
  );
};

/** /proc does not show what the program does: another user's program, or a machine that hides it. */
const judgeHidden = (evidence: Evidence): Verdict => {
  const { kernel, terminal, shell, silence } = evidence;
  const isQuiet = silence.outputMs >= QUIET_MS;
  const wait = { alone: false, withPeer: false, isShell: false, isBlindRelay: true };
  const waitingBecause = (certainty: Certainty, because: string) =>
    waiting(evidence, kernel, wait, certainty, because);
  // sudo asks an ordinary user for a password: the terminal's own settings can always be read.
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

const waiting = (
  evidence: Evidence,
  kernel: KernelEvidence | undefined,
  wait: TerminalWait,
  certainty: Certainty,
  because: string,
): Verdict => {
  const waitingFor = classifyWait(evidence, kernel, wait);
  const doubt =
    certainty === 'certain' ? doubtAboutWait(waitingFor, evidence, kernel, wait) : undefined;
  const { alternateScreen, cursorVisible, beforeCursor } = evidence.terminal;
  const prompt = alternateScreen || !cursorVisible ? '' : beforeCursor;
  return {
    state: 'waiting',
    waitingFor,
    certainty: doubt === undefined ? certainty : 'likely',
    because: doubt ?? because,
    ...(prompt !== '' && { prompt }),
    ...(doubt !== undefined && !isInnerShellIdle(waitingFor, kernel) && { surelyWaits: true }),
  };
};

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

/** The thread that a verdict names: one that reads the terminal, else a busy one, else the last. */
const foregroundThread = (threads: readonly ThreadEvidence[]): ThreadEvidence | undefined =>
  threads.find(({ terminalWait }) => terminalWait !== undefined) ??
  threads.findLast(isThreadBusy) ??
  threads.at(-1);
