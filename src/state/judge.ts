/**
 * Decides whose turn it is, from evidence gathered elsewhere.
 *
 * Nothing here reads a clock, a file or a terminal: `evidence/` observes, `judge` decides, and
 * `watcher.ts` asks again when the evidence may have changed. Rules stand in order of strength, and
 * know programs only by what they do, never by name. A verdict names the evidence it rests on.
 */

import type { KernelEvidence } from '../system/foreground/kernel-evidence.ts';
import type { TerminalWait, ThreadEvidence } from '../system/foreground/thread.ts';
import type { Exit } from '../system/process/reaper.ts';
import { activityOf, isBusy } from './activity.ts';
import type { ShellEvidence } from './evidence/shell.ts';
import type { SilenceEvidence } from './evidence/silence.ts';
import type { TerminalEvidence } from './evidence/terminal.ts';
import { doubtOf, isInnerShellIdle, kindOf } from './kind.ts';
import { withoutReaderChildren, workerRelation } from './process-relations.ts';
import type { Activity, Certainty, Verdict } from './verdict.ts';

/** What is known at one moment. A missing field means "no such evidence". */
export interface Evidence {
  exit?: Exit;
  /** Absent where the program has no terminal of ours, or /proc cannot tell. */
  kernel?: KernelEvidence;
  terminal: TerminalEvidence;
  /** Absent where no shell has drawn a mark. */
  shell?: ShellEvidence;
  silence: SilenceEvidence;
}

/** A screen that has not changed for so long is painted: programs draw in bursts of a few ms. */
const PAINTED_MS = 30;
/** Where only silence speaks, this much of it: longer than most pauses within one answer. */
const QUIET_MS = 1000;

export const judge = (evidence: Evidence): Verdict => {
  const { exit, kernel } = evidence;
  if (exit !== undefined) return { state: 'exited', certainty: 'certain', because: 'it exited' };
  // Nobody to be seen in the foreground: they are another user's, and /proc hides them (hidepid).
  const isMute =
    kernel === undefined ||
    kernel.threads.length === 0 ||
    kernel.threads.some(({ doing }) => doing === 'hidden');
  const foreground = kernel && chiefOf(kernel.threads)?.name;
  return {
    ...(isMute ? fromOutside(evidence) : fromInside(evidence, kernel)),
    ...(foreground !== undefined && { foreground }),
  };
};

/** All threads in the foreground can be seen. */
const fromInside = (evidence: Evidence, kernel: KernelEvidence): Verdict => {
  const { threads } = kernel;
  const waits = threads.flatMap(({ terminalWait }) => terminalWait ?? []);

  // A job that was stopped, and no shell that would have taken the terminal back.
  if (threads.length > 0 && threads.every(({ doing }) => doing === 'stopped')) {
    return working('stopped', 'the program is stopped by a signal');
  }
  // `sleep 5` with a line typed meanwhile. Also the moment between typing and reading.
  if (kernel.hasUnreadInput) {
    return working(activityOf(threads), 'it has not read what was typed');
  }
  if (waits.length === 0) return notAsking(evidence, kernel);
  // Beside its shell, a job may work in the same group: fish makes completions so, when it is new.
  const ownPrompt = waitAtOwnPrompt(evidence, kernel);
  if (ownPrompt !== undefined) {
    return waiting(evidence, kernel, ownPrompt, 'certain', 'the shell has marked its prompt');
  }
  if (threads.some(isBusy)) return besideWork(evidence, kernel);
  const blind = waits.find(({ isBlindRelay, withPeer }) => isBlindRelay || withPeer);
  if (blind !== undefined) return throughRelay(evidence, kernel, blind);

  const alone = waits.find((wait) => wait.alone);
  // A finder that reads keys in one thread, and looks for matches in another after a short sleep.
  const willGoOn = threads.some(({ wakesByItself }) => wakesByItself);
  if (alone !== undefined && !willGoOn) {
    return waiting(evidence, kernel, alone, 'certain', 'it sleeps until the terminal has input');
  }
  const [wait] = waits as [TerminalWait];
  // gdb, ipython, fish: an event loop that has begun a new line since it was last typed to.
  if (evidence.terminal.pasteOnSinceInput && !evidence.terminal.alternateScreen) {
    return waiting(evidence, kernel, wait, 'certain', 'it has begun to read a line');
  }
  if (evidence.shell?.at === 'prompt' && evidence.shell.sinceInput) {
    return waiting(evidence, kernel, wait, 'certain', 'the shell has marked its prompt');
  }
  return asOneOfMany(evidence, kernel, wait);
};

const waitAtOwnPrompt = (
  { shell }: Evidence,
  { threads }: KernelEvidence,
): TerminalWait | undefined => {
  if (shell?.at !== 'prompt' || !shell.sinceInput || shell.isWithin) return undefined;
  const own = threads.find(({ pid, terminalWait }) => pid === shell.ownPid && terminalWait);
  return own?.terminalWait;
};

/** Somebody reads the terminal, and somebody works: typing would be read, but is there an answer yet? */
const besideWork = (evidence: Evidence, kernel: KernelEvidence): Verdict => {
  const { threads } = kernel;
  const activity = activityOf(threads);
  const workers = workerRelation(threads);
  if (workers === 'itself') {
    return working(activity, 'a thread works while another reads the terminal');
  }
  if (workers === 'its own') {
    const verdict = fromInside(evidence, { ...kernel, threads: withoutReaderChildren(threads) });
    const isShell = threads.some(({ terminalWait }) => terminalWait?.isShell);
    // A REPL that has started a job and does not wait for it; fish without marks, when it is new.
    if (verdict.state === 'waiting' && (isShell || verdict.certainty === 'certain')) {
      const { surelyWaits: _, ...asked } = verdict;
      const because = 'it waits for the terminal, and only what it has started works';
      return { ...asked, certainty: 'likely', because };
    }
  }
  return working(activity, 'a process works while another reads the terminal', 'likely');
};

/** The terminal is one of several things it waits for: it may be busy with the others. */
const asOneOfMany = (evidence: Evidence, kernel: KernelEvidence, wait: TerminalWait): Verdict => {
  const { terminal, shell } = evidence;
  // fish, with a line begun or not complete.
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
  // A node REPL at its prompt; with a promise pending it looks the same but for the cursor.
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

/** ssh, a container's or a multiplexer's client: what counts is on the other side. */
const throughRelay = (evidence: Evidence, kernel: KernelEvidence, wait: TerminalWait): Verdict => {
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
  // ssh over a slow line: what it shows is from before the last input, which is still on its way.
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

/** Nobody in the foreground waits for the terminal. */
const notAsking = (evidence: Evidence, kernel: KernelEvidence): Verdict => {
  const { terminal, silence } = evidence;
  const { threads, lineMode } = kernel;
  if (threads.some(({ blockedOn }) => blockedOn === 'the terminal to take output')) {
    return working('stopped by Ctrl-S', 'it cannot write: the terminal was stopped (type C-q)');
  }
  // `watch`, `less +F`: they sleep between looks at the terminal and never wait for it. But a gauge
  // that is fed through a pipe only shows how far another process has come.
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
  // gpg: a daemon's helper asks for the passphrase, while the program waits for the daemon. Once
  // that is typed, what stands there is older than the input.
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

/** The kernel is mute: another user's program, or a machine that hides its processes. */
const fromOutside = (evidence: Evidence): Verdict => {
  const { kernel, terminal, shell, silence } = evidence;
  const isQuiet = silence.outputMs >= QUIET_MS;
  const wait = { alone: false, withPeer: false, isShell: false, isBlindRelay: true };
  const asked = (certainty: Certainty, because: string) =>
    waiting(evidence, kernel, wait, certainty, because);
  // sudo's question, asked of an ordinary user: the terminal's own settings can always be read.
  if (kernel?.lineMode.canonical && !kernel.lineMode.echo && !kernel.hasUnreadInput) {
    return asked('likely', 'the terminal does not echo');
  }
  if (shell?.at === 'prompt' && shell.sinceInput) {
    return asked('likely', 'the shell has marked its prompt');
  }
  if (terminal.pasteOnSinceInput) return asked('likely', 'it has begun to read a line');
  if (isPainted(evidence)) return asked('likely', 'a full screen is painted and stable');
  if (!terminal.alternateScreen && terminal.beforeCursor.trim() !== '' && isQuiet) {
    return asked('guess', `it is silent after a prompt, for ${QUIET_MS} ms`);
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
  const waitingFor = kindOf(evidence, kernel, wait);
  const doubt = certainty === 'certain' ? doubtOf(waitingFor, evidence, kernel, wait) : undefined;
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

/** The one that asks, else one that works, else the last to be started. */
const chiefOf = (threads: readonly ThreadEvidence[]): ThreadEvidence | undefined =>
  threads.find(({ terminalWait }) => terminalWait !== undefined) ??
  threads.findLast(isBusy) ??
  threads.at(-1);
