/**
 * Decides whose turn it is, from evidence gathered elsewhere.
 *
 * Nothing here reads a clock, a file or a terminal: `evidence/` observes, `judge` decides, and
 * `watcher.ts` judges again when the evidence may have changed. Only what may be due is looked for when
 * the judge asks (KernelEvidence.due), because that takes as long as all the rest. Rules are in order of
 * strength. They know programs only by what they do, never by name. A verdict names the evidence it rests
 * on.
 */

import type { KernelEvidence } from '../system/foreground/kernel-evidence.ts';
import type { TerminalWait } from '../system/foreground/observe-thread.ts';
import type { Exit } from '../system/process/reaper.ts';
import { activityOfThreads, foregroundThread, isThreadBusy } from './activity.ts';
import type { ShellEvidence } from './evidence/shell.ts';
import type { SilenceEvidence } from './evidence/silence.ts';
import type { TerminalEvidence } from './evidence/terminal.ts';
import {
  isPainted,
  isQuiet,
  judgeHidden,
  judgeWithoutReader,
  QUIET_MS,
  UNSEEN_WAIT,
} from './judge-unseen.ts';
import { relateBusyProcesses, withoutReaderChildren } from './process-relations.ts';
import { type Verdict, working } from './verdict.ts';
import { waitingVerdict } from './waiting-verdict.ts';

/** What is known at one moment. A missing field means "no such evidence". */
export interface Evidence {
  exit?: Exit;
  /** Absent if the program has no terminal of ours, or /proc cannot be read. */
  kernel?: KernelEvidence;
  /** Why programs of this session may be hidden, if there is a reason that lies with us. */
  hiddenBy?: string;
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

/** It runs once to come to its wait. */
const MIN_TICKS = 2;
/** If nothing but input can wake a program for this long, there is nothing to wait for. */
const FAR_HORIZON_MS = 1000;

const LOST_EXIT =
  'it exited; its exit code is unknown, since both the daemon and the keeper that could have been told it were killed';

export const judge = (evidence: Evidence): Verdict => {
  const { exit, kernel } = evidence;
  if (exit !== undefined)
    return {
      state: 'exited',
      certainty: 'certain',
      because: exit.isLost ? LOST_EXIT : 'it exited',
    };
  const foreground = kernel && foregroundThread(kernel.threads)?.name;
  return {
    ...(kernel === undefined || isReaderHidden(kernel)
      ? withReason(judgeHidden(evidence), evidence.hiddenBy)
      : judgeVisible(evidence, withHiddenDue(kernel))),
    ...(foreground !== undefined && { foreground }),
  };
};

const withReason = (verdict: Verdict, hiddenBy: string | undefined): Verdict =>
  hiddenBy === undefined ? verdict : { ...verdict, because: `${verdict.because}; ${hiddenBy}` };

/** No threads: the foreground belongs to another user, and /proc hides it (hidepid). */
const isReaderHidden = ({ threads, mayReadUnseen }: KernelEvidence): boolean =>
  threads.length === 0 ||
  mayReadUnseen === true ||
  (threads.some(({ doing }) => doing === 'hidden') &&
    !threads.some(({ terminalWait }) => terminalWait));

/** A reader can be seen, but not what another process does: crontab while its editor reads, for example. */
const withHiddenDue = (kernel: KernelEvidence): KernelEvidence =>
  kernel.threads.some(({ doing }) => doing === 'hidden')
    ? { ...kernel, due: 'a process that hides what it does' }
    : kernel;

/** All foreground threads can be seen in /proc, or at least one that waits for the terminal. */
const judgeVisible = (evidence: Evidence, kernel: KernelEvidence): Verdict => {
  const { threads } = kernel;
  const waits = threads.flatMap(({ terminalWait }) => terminalWait ?? []);

  // All foreground threads are stopped, and there is no shell with job control: it would have taken
  // the terminal back from a stopped job.
  if (threads.length > 0 && threads.every(({ doing }) => doing === 'stopped')) {
    return working('stopped', 'the program is stopped by a signal');
  }
  // A line editor whose prompt is back has read the line and given its answer, whatever it still draws or
  // has not read of ours: litecli draws for some milliseconds, and asks where its cursor is. One that is
  // certain to read, once it does, is waited for.
  const { terminal } = evidence;
  if (waits.length === 0 && terminal.wasLikelyLine && isReadingAgain(terminal)) {
    const because = 'it has begun to read a line, and shows its prompt again';
    return settled(waitingVerdict(evidence, kernel, UNSEEN_WAIT, 'likely', because));
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
  if (ownPrompt !== undefined && evidence.shell?.isUnmarked) {
    const because = 'the shell is at its prompt again, but its marks are gone';
    return unmarked(waitingVerdict(evidence, kernel, ownPrompt, 'likely', because));
  }
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
  const isRelay = ({ isBlindRelay, alsoWaitsForPeer }: TerminalWait) =>
    isBlindRelay || alsoWaitsForPeer;
  const relay = waits.find(isRelay);
  // Not if one of its threads reads the terminal by itself, for example to ask what Ctrl-C shall do.
  const isReadAlone = waits.some((each) => each.isOnlyTarget && !isRelay(each));
  if (relay !== undefined && !isReadAlone) return judgeRelay(evidence, kernel, relay);

  const wait = waits.find((each) => each.isOnlyTarget && !isRelay(each)) ?? waits[0]!;
  const hasTimeout = threads.some(({ wakesInMs }) => wakesInMs !== undefined);
  const isUndisturbed = () => !kernel.hasTimers && kernel.openTo === undefined;
  if (!hasTimeout && isHorizonFar(kernel) && isUndisturbed()) {
    const because = `it sleeps until ${kernel.isPipe ? 'its pipe' : 'the terminal'} has input`;
    return waitingVerdict(evidence, kernel, wait, 'certain', because);
  }
  if (evidence.shell?.at === 'prompt' && evidence.shell.sinceInput) {
    return waitingVerdict(evidence, kernel, wait, 'certain', 'the shell has marked its prompt');
  }
  // It has begun to read a new line since the last input: ipython and litecli, which tick meanwhile. But
  // it may do so while it still thinks.
  if (terminal.pasteOnSinceInput && !terminal.alternateScreen) {
    return settled(waitingVerdict(evidence, kernel, wait, 'likely', 'it has begun to read a line'));
  }
  // Before the horizon, which takes as long to look for as all the rest.
  if (!wait.isOnlyTarget && !terminal.alternateScreen && terminal.isPromptAgain) {
    return settled(waitingVerdict(evidence, kernel, wait, 'likely', 'it shows its prompt again'));
  }
  const isFar = isHorizonFar(kernel);
  if (wait.isOnlyTarget && (isFar || !hasTimeout)) {
    const because = `it reads the terminal, but ${kernel.due ?? kernel.openTo ?? 'a timer'} may act`;
    const verdict = waitingVerdict(evidence, kernel, wait, 'likely', because);
    return isFar ? settled(verdict) : verdict;
  }
  return judgeEventLoop(evidence, kernel, wait);
};

const isReadingAgain = (terminal: TerminalEvidence): boolean =>
  terminal.pasteOnSinceInput && !terminal.alternateScreen && terminal.isPromptAgain;

/** Whether for a while nothing but the terminal can wake one of the threads, as far as can be seen. */
const isHorizonFar = (kernel: KernelEvidence): boolean =>
  kernel.threads.every(({ wakesInMs = Number.POSITIVE_INFINITY }) => wakesInMs >= FAR_HORIZON_MS) &&
  kernel.due === undefined;

const settled = (verdict: Verdict): Verdict =>
  verdict.state === 'waiting' ? { ...verdict, isSettled: true } : verdict;

const unmarked = (verdict: Verdict): Verdict =>
  verdict.state === 'waiting' ? { ...verdict, isSettled: true, isUnmarked: true } : verdict;

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

/**
 * Whether a program has read its input without a word, and its wait ends soon by itself: after Escape,
 * for example, it waits a moment for the rest of a key. A key typed meanwhile would be taken for that.
 */
const isDeferred = (
  { silence }: Evidence,
  { threads }: KernelEvidence,
  wait: TerminalWait,
): boolean => {
  const reader = threads.find(({ terminalWait }) => terminalWait === wait);
  const isNear = (reader?.wakesInMs ?? FAR_HORIZON_MS) < FAR_HORIZON_MS;
  return isNear && wait.wakes < MIN_TICKS && silence.outputMs > silence.inputMs;
};

/** The program wakes by itself, or something else may wake it: it may be busy with that. */
const judgeEventLoop = (
  evidence: Evidence,
  kernel: KernelEvidence,
  wait: TerminalWait,
): Verdict => {
  const { terminal, shell } = evidence;
  // node's timers are seconds away, vim's too.
  const isFar = isHorizonFar(kernel);
  const likely = (because: string) => {
    const verdict = waitingVerdict(evidence, kernel, wait, 'likely', because);
    return isFar ? settled(verdict) : verdict;
  };
  // A shell with marks is still at its prompt until it marks something else. For example, fish is an
  // event loop while a line is half typed or incomplete.
  if (shell?.at === 'prompt' && shell.ownPid !== undefined && !shell.isWithin && wait.isShell) {
    return likely('it has marked its prompt before');
  }
  if (isDeferred(evidence, kernel, wait)) {
    return working('not known', 'it has not answered yet, and wakes by itself', 'likely');
  }
  if (isPainted(evidence) || (isFar && terminal.alternateScreen && !terminal.isDrawing)) {
    return likely('it also waits for the terminal, its screen is painted');
  }
  // Text before the cursor is taken for a prompt. For example, a node REPL is at its prompt. While it
  // waits for a promise it looks the same, except that nothing is before the cursor.
  if (!terminal.alternateScreen && terminal.beforeCursor.trim() !== '') {
    return likely('it also waits for the terminal, after a prompt');
  }
  // It has woken, and gone back to wait without a word: it only ticks.
  const isTicking = wait.wakes >= MIN_TICKS && kernel.due === undefined;
  if (isTicking && isQuiet(evidence)) {
    return waitingVerdict(
      evidence,
      kernel,
      wait,
      'guess',
      `it also waits for the terminal, and only ticks, for ${QUIET_MS} ms`,
    );
  }
  const activity = kernel.openTo === 'a new connection' ? 'on the network' : 'not known';
  return working(activity, 'it waits for more than the terminal, and shows no prompt', 'likely');
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
  if (!terminal.alternateScreen && terminal.isPromptAgain) {
    return settled(likely('the program behind it shows its prompt again'));
  }
  const isPrompt = !terminal.alternateScreen && terminal.beforeCursor.trim() !== '';
  // readline says that it reads before it draws its prompt, which may come later over a slow line. But a
  // prompt may be empty.
  if (terminal.pasteOnSinceInput && !terminal.alternateScreen && (isPrompt || isQuiet(evidence))) {
    const verdict = likely('the program behind it has begun to read a line');
    return isPrompt && terminal.printedSincePasteOn ? settled(verdict) : verdict;
  }
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
