/** What a program waits for (a command, a line, a secret, a key), and how certain that is. Pure. */
import type { KernelEvidence } from '../system/foreground/kernel-evidence.ts';
import type { TerminalWait } from '../system/foreground/observe-thread.ts';
import type { ShellEvidence } from './evidence/shell.ts';
import type { TerminalEvidence } from './evidence/terminal.ts';
import type { Evidence } from './judge.ts';
import type { Certainty, Verdict, WaitingFor } from './verdict.ts';

/** The verdict that a program waits, for this reason. */
export const waitingVerdict = (
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
    ...(doubt !== undefined &&
      (isInnerShellIdle(waitingFor, kernel) ? { isSettled: true } : { surelyWaits: true })),
  };
};

/** Why `waitingFor` is only likely, although the kernel is certain that the program waits. */
const doubtAboutWait = (
  waitingFor: WaitingFor,
  evidence: Evidence,
  kernel: KernelEvidence | undefined,
  wait: TerminalWait,
): string | undefined => {
  const { shell } = evidence;
  const { isShell } = wait;
  // It prints a star for each key: sudo with pwfeedback, and libraries of many languages.
  if (waitingFor === 'secret' && !kernel?.lineMode.canonical)
    return 'it reads key by key, after a prompt for a password';
  // A shell at its prompt and the same shell in its `read` look alike.
  if (waitingFor === 'command' && shell?.at !== 'prompt') return 'it waits, and looks like a shell';
  // Any program can print a mark.
  if (waitingFor === 'command' && shell?.isWithin) return 'a shell within has marked its prompt';
  // `read` in a shell with marks, or a shell without marks that was started in it.
  if (waitingFor === 'line' && isShell && shell?.at === 'command')
    return 'a shell waits for a line';
  if (isInPromptHook(evidence, kernel, wait)) return 'a shell waits for a line';
  // To the kernel it looks like a program that wants a key.
  const mode = kernel?.lineMode;
  if (waitingFor === 'line' && mode?.translatesEnter && mode.signals && !mode.canonical)
    return 'it waits for keys, after what looks like a prompt';
  if (isShell && isInnerShellIdle(waitingFor, kernel)) return 'the shell within it is idle';
  return undefined;
};

/** mc keeps a shell on a terminal of its own. That this shell is idle does not tell what mc does. */
const isInnerShellIdle = (waitingFor: WaitingFor, kernel: KernelEvidence | undefined): boolean =>
  waitingFor === 'key' && kernel?.isNested === true;

const classifyWait = (
  evidence: Evidence,
  kernel: KernelEvidence | undefined,
  wait: TerminalWait,
): WaitingFor => {
  const { terminal, shell: lastMarked } = evidence;
  const { isShell, isBlindRelay, alsoWaitsForPeer } = wait;
  const mode = kernel?.lineMode;
  const shell = isMarkedByReader(wait, lastMarked, kernel) ? lastMarked : undefined;
  const isRemote = isBlindRelay || alsoWaitsForPeer;
  if (mode?.canonical && !mode.echo) return 'secret';
  if (mode && !mode.canonical && !mode.echo && isPasswordPrompt(terminal)) return 'secret';
  // Not a key: a shell after a program that died on the alternate screen, or `tput smcup; read x`.
  const isLine = !isRemote && (isShell ? !kernel?.isNested : mode?.canonical);
  if (terminal.alternateScreen && !isLine) return 'key';
  if (mode !== undefined && !mode.canonical && isKeyQuestion(terminal.beforeCursor)) return 'key';
  if (isInPromptHook(evidence, kernel, wait)) return 'line';
  if (shell !== undefined && (isShell || isRemote)) {
    return shell.at === 'prompt' && !shell.isContinued ? 'command' : 'line';
  }
  if (mode?.canonical) {
    // A shell that edits its own lines, but not now: it is in its `read`.
    return isShell && !terminal.hasEditedLines ? 'command' : 'line';
  }
  // dialog, joe, vim after `:!`: they draw full screens, though not on the alternate screen.
  if (mode?.translatesLineFeed === false && !isRemote) return 'key';
  if (terminal.bracketedPaste) return isShell ? 'command' : 'line';
  if (!terminal.cursorVisible) return 'key';
  // `more`, `read -n 1`: raw mode, but the kernel still translates Enter. So it does for some line
  // editors, too. They read Ctrl-C as an ordinary key after their prompt, or are known by that prompt.
  if (mode?.translatesEnter) {
    const isEditor = mode.signals
      ? !isShell && isPromptOfEditor(terminal)
      : isShell || terminal.beforeCursor.trim() !== '';
    if (!isEditor) return 'key';
  }
  if (isShell) return 'command';
  // It reads Ctrl-C as an ordinary key, and shows no prompt.
  const isBare = mode?.signals === false && terminal.beforeCursor.trim() === '';
  return isBare ? 'key' : 'line';
};

/** At its end stand the stars for what was typed already. */
const PASSWORD_PROMPT = /\b(pass ?word|passphrase|passcode|pin|secret)\b[^:?>]*[:?>] ?[*•●·]*$/i;

const isPasswordPrompt = ({
  alternateScreen,
  bracketedPaste,
  beforeCursor,
}: Evidence['terminal']): boolean =>
  !alternateScreen && !bracketedPaste && PASSWORD_PROMPT.test(beforeCursor);

/**
 * What line editors and shells ask while they edit a line or have just got it. The texts are fixed, and
 * nothing else shows that one key is the answer: readline's, zsh's and tcsh's, before they list many
 * possibilities, correct a word or delete all files.
 */
const KEY_QUESTIONS: readonly RegExp[] = [
  /^Display all \d+ possibilities\? \(y or n\)$/,
  /^\w+: do you wish to see all \d+ possibilities .*\? $/,
  /^\w+: .* \[(nyae|yn)\]\? $/,
  /^There are \d+ rows, list them anyway\? \[n\/y\] $/,
  /^CORRECT>.* \(y\|n\|e\|a\)\? $/,
];

const isKeyQuestion = (beforeCursor: string): boolean =>
  KEY_QUESTIONS.some((question) => question.test(beforeCursor));

/** Such as `ghci> `, also with a line begun after it. A question that wants a key does not end so. */
const isPromptOfEditor = ({ beforeCursor, unfinished }: TerminalEvidence): boolean =>
  /(^|\S)> $/.test(
    unfinished && beforeCursor.endsWith(unfinished)
      ? beforeCursor.slice(0, -unfinished.length)
      : beforeCursor,
  );

/**
 * Whether a shell that edits its own lines reads one without editing it, after it has begun its prompt
 * and before it has drawn it: something in PROMPT_COMMAND or `precmd` asks.
 */
const isInPromptHook = (
  { terminal, shell }: Evidence,
  kernel: KernelEvidence | undefined,
  { isShell }: TerminalWait,
): boolean =>
  isShell &&
  shell?.at === 'prompt' &&
  !shell.isDrawn &&
  terminal.hasEditedLines &&
  kernel?.lineMode.canonical === true;

/** That a shell runs a command says nothing about a shell it has started. */
const isMarkedByReader = (
  wait: TerminalWait,
  shell: ShellEvidence | undefined,
  kernel: KernelEvidence | undefined,
): boolean => {
  if (shell?.at !== 'command' || shell.ownPid === undefined) return true;
  return kernel?.threads.find(({ terminalWait }) => terminalWait === wait)?.pid === shell.ownPid;
};
