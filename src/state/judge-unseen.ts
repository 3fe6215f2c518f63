/**
 * The rules for programs of which no thread can be seen to wait for the terminal: because none does, or
 * because /proc does not show it. Pure, a part of the judge.
 */
import type { KernelEvidence } from '../system/foreground/kernel-evidence.ts';
import type { TerminalWait, ThreadEvidence } from '../system/foreground/observe-thread.ts';
import { activityOfThreads } from './activity.ts';
import type { Evidence } from './judge.ts';
import { type Certainty, type Verdict, working } from './verdict.ts';
import { waitingVerdict } from './waiting-verdict.ts';

/** A screen unchanged for this long is painted: programs draw in bursts of a few ms. */
const PAINTED_MS = 30;
/** How much silence a guess needs: longer than most pauses within one answer. */
export const QUIET_MS = 1000;

/** No foreground thread waits for the terminal. */
export const judgeWithoutReader = (evidence: Evidence, kernel: KernelEvidence): Verdict => {
  const { terminal, silence } = evidence;
  const { threads, lineMode } = kernel;
  if (threads.some(({ blockedOn }) => blockedOn === 'the terminal to take output')) {
    return working('stopped by Ctrl-S', 'it cannot write: the terminal was stopped (type C-q)');
  }
  // A program with a painted screen takes keys even if it never waits for the terminal. `watch` and
  // `less +F`, for example, sleep and check the terminal now and then. But a program that reads a
  // pipe may be a progress bar, which only shows how far another process has come. And a program that
  // gets whole lines takes no keys: an editor has given the terminal back, for a command it runs.
  const isIdle = threads.every(
    ({ doing, blockedOn }) => doing === 'blocked' && blockedOn !== 'a pipe',
  );
  if (isPainted(evidence) && isIdle && !lineMode.canonical) {
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
  if (mayGlanceAtTerminal(threads) && isQuietPrompt(evidence)) {
    const because = `it looks at the terminal now and then, unchanged for ${QUIET_MS} ms`;
    return waitingVerdict(evidence, kernel, UNSEEN_WAIT, 'guess', because);
  }
  const isKnown = threads.every(
    ({ blockedOn, mayGlance }) => blockedOn !== 'a call we do not know' && !mayGlance,
  );
  return working(
    activityOfThreads(threads),
    'nothing in the foreground waits for the terminal',
    isKnown && kernel.due === undefined ? 'certain' : 'likely',
  );
};

/** It sleeps for a moment again and again, and nothing else is under way as far as can be seen. */
const mayGlanceAtTerminal = (threads: readonly ThreadEvidence[]): boolean =>
  threads.some(({ mayGlance }) => mayGlance) &&
  threads.every(
    ({ mayGlance, blockedOn }) =>
      mayGlance ||
      blockedOn === 'another thread' ||
      blockedOn === 'a signal' ||
      blockedOn === 'a child',
  );

const isQuietPrompt = (evidence: Evidence): boolean =>
  !evidence.terminal.alternateScreen &&
  evidence.terminal.beforeCursor.trim() !== '' &&
  isQuiet(evidence);

/** What was silent before the input says nothing about the answer to it. */
export const isQuiet = ({ silence }: Evidence): boolean =>
  Math.min(silence.outputMs, silence.inputMs) >= QUIET_MS;

/** Of a wait that does not show in /proc nothing more is known. */
export const UNSEEN_WAIT: TerminalWait = {
  isOnlyTarget: false,
  wakes: 0,
  alsoWaitsForPeer: false,
  isShell: false,
  isBlindRelay: false,
};

/** /proc does not show what the program does: another user's program, or a machine that hides it. */
export const judgeHidden = (evidence: Evidence): Verdict => {
  const { kernel, terminal, shell } = evidence;
  const wait = { ...UNSEEN_WAIT, isBlindRelay: true };
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
  if (!terminal.alternateScreen && terminal.beforeCursor.trim() !== '' && isQuiet(evidence)) {
    return waitingBecause('guess', `it is silent after a prompt, for ${QUIET_MS} ms`);
  }
  return working('not known', 'the program hides what it does', 'guess');
};

export const isPainted = ({ terminal, silence }: Evidence) =>
  terminal.alternateScreen && !terminal.isDrawing && silence.outputMs >= PAINTED_MS;
