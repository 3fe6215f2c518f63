import { describe, expect, test } from 'vitest';
import type { TerminalEvidence } from '../../src/state/evidence/terminal.ts';
import { type Evidence, judge } from '../../src/state/judge.ts';
import type { KernelEvidence } from '../../src/system/foreground/kernel-evidence.ts';
import type { TerminalWait, ThreadEvidence } from '../../src/system/foreground/observe-thread.ts';

const cooked = {
  canonical: true,
  echo: true,
  signals: true,
  translatesEnter: true,
  translatesLineFeed: true,
  timesOutReads: false,
};
const noEcho = { ...cooked, echo: false };
const raw = {
  canonical: false,
  echo: false,
  signals: false,
  translatesEnter: false,
  translatesLineFeed: true,
  timesOutReads: false,
};
const cbreak = {
  canonical: false,
  echo: false,
  signals: true,
  translatesEnter: true,
  translatesLineFeed: true,
  timesOutReads: false,
};

const plain: TerminalEvidence = {
  bracketedPaste: false,
  pasteOnSinceInput: false,
  printedSincePasteOn: false,
  hasEditedLines: false,
  alternateScreen: false,
  cursorVisible: true,
  isDrawing: false,
  beforeCursor: '',
  isEcho: false,
  isPromptAgain: false,
  wasLikelyLine: false,
};
const editing = { ...plain, bracketedPaste: true, hasEditedLines: true };
const fullScreen = { ...plain, alternateScreen: true };

/** A reader. An event loop, which waits for more than the terminal, ticks here. */
const wait = (more: Partial<TerminalWait> = {}): ThreadEvidence => ({
  pid: 7,
  parent: 1,
  name: 'program',
  doing: 'blocked',
  ...(more.isOnlyTarget === false && { wakesInMs: 100 }),
  terminalWait: {
    isOnlyTarget: true,
    wakes: 0,
    alsoWaitsForPeer: false,
    isShell: false,
    isBlindRelay: false,
    ...more,
  },
});
const { wakesInMs: _, ...loopWithPeer } = wait({ isOnlyTarget: false, alsoWaitsForPeer: true });
const thread = (more: Partial<ThreadEvidence>): ThreadEvidence => ({
  pid: 8,
  parent: 1,
  name: 'other',
  doing: 'blocked',
  ...more,
});

/** Evidence of a program whose last output and input were 500 ms ago. */
const evidenceOf = (
  threads: ThreadEvidence[],
  { lineMode = cooked, ...more }: Partial<Evidence & KernelEvidence> = {},
): Evidence => ({
  terminal: plain,
  silence: { outputMs: 500, inputMs: 500 },
  kernel: {
    hasUnreadInput: false,
    lineMode,
    threads,
    ...(more.hasUnreadInput && { hasUnreadInput: true }),
    ...(more.due !== undefined && { due: more.due }),
    ...(more.hasTimers && { hasTimers: true }),
    ...(more.openTo && { openTo: more.openTo }),
    ...(more.mayReadUnseen && { mayReadUnseen: true }),
  },
  ...more,
});

/** The same, for a program that has a terminal of its own inside ours. */
const nested = (...args: Parameters<typeof evidenceOf>): Evidence => {
  const evidence = evidenceOf(...args);
  return { ...evidence, kernel: { ...evidence.kernel!, isNested: true } };
};

const verdictOf = (evidence: Evidence): string => {
  const verdict = judge(evidence);
  const what =
    verdict.state === 'waiting'
      ? verdict.waitingFor
      : verdict.state === 'working'
        ? verdict.activity
        : '';
  return `${verdict.certainty} ${verdict.state} ${what}`.trim();
};

describe('judge', () => {
  test.each<[what: string, evidence: Evidence, verdict: string]>([
    [
      'an exit, whatever else was seen',
      evidenceOf([wait()], { exit: { code: 0 } }),
      'certain exited',
    ],

    ['a blocking read of a cooked terminal', evidenceOf([wait()]), 'certain waiting line'],
    ['the same without echo', evidenceOf([wait()], { lineMode: noEcho }), 'certain waiting secret'],
    [
      'a line editor on its own',
      evidenceOf([wait()], { lineMode: raw, terminal: editing }),
      'certain waiting line',
    ],
    [
      'a line editor that knows no bracketed paste',
      evidenceOf([wait()], { lineMode: raw, terminal: { ...plain, beforeCursor: '> ' } }),
      'certain waiting line',
    ],
    [
      'a line editor without a prompt, to which Ctrl-C is no key',
      evidenceOf([wait()], { lineMode: { ...raw, signals: true } }),
      'certain waiting line',
    ],
    [
      'a reader of single keys that asks for a password',
      evidenceOf([wait()], {
        lineMode: cbreak,
        terminal: { ...plain, beforeCursor: 'Password: ' },
      }),
      'likely waiting secret',
    ],
    [
      'the same when some of it was typed',
      evidenceOf([wait()], {
        lineMode: raw,
        terminal: { ...plain, beforeCursor: '[sudo] password for ada: ****' },
      }),
      'likely waiting secret',
    ],
    [
      'a line editor that asks for a password',
      evidenceOf([wait()], {
        lineMode: raw,
        terminal: { ...editing, beforeCursor: 'New password: ' },
      }),
      'certain waiting line',
    ],
    ['a reader of single keys', evidenceOf([wait()], { lineMode: raw }), 'certain waiting key'],
    [
      'a line editor that leaves Enter to the kernel, such as that of ghci',
      evidenceOf([wait()], { lineMode: cbreak, terminal: { ...plain, beforeCursor: 'ghci> ' } }),
      'likely waiting line',
    ],
    [
      'the same, with a line begun',
      evidenceOf([wait()], {
        lineMode: cbreak,
        terminal: { ...plain, beforeCursor: 'ghci> 6*', unfinished: '6*' },
      }),
      'likely waiting line',
    ],
    [
      'a question that wants a key, in the same mode',
      evidenceOf([wait()], { lineMode: cbreak, terminal: { ...plain, beforeCursor: 'Sure? ' } }),
      'certain waiting key',
    ],
    [
      'a line editor that reads Ctrl-C and leaves Enter to the kernel, such as that of s-nail',
      evidenceOf([wait()], {
        lineMode: { ...cbreak, signals: false },
        terminal: { ...plain, beforeCursor: '? ' },
      }),
      'certain waiting line',
    ],
    [
      'the same in a shell, such as that of busybox',
      evidenceOf([wait({ isShell: true })], {
        lineMode: { ...cbreak, signals: false },
        terminal: { ...plain, beforeCursor: '~ # ' },
      }),
      'likely waiting command',
    ],
    [
      'a shell that asks whether to list everything',
      evidenceOf([wait({ isShell: true })], {
        lineMode: { ...raw, signals: true },
        terminal: { ...editing, beforeCursor: 'Display all 2073 possibilities? (y or n)' },
        shell: { at: 'prompt', sinceInput: false, ownPid: 7, isDrawn: true },
      }),
      'certain waiting key',
    ],
    [
      'a shell that asks whether to correct a word',
      evidenceOf([wait({ isShell: true })], {
        lineMode: { ...raw, signals: true },
        terminal: {
          ...plain,
          hasEditedLines: true,
          beforeCursor: "zsh: correct 'sl' to 'ls' [nyae]? ",
        },
        shell: { at: 'prompt', sinceInput: false, ownPid: 7, isDrawn: true, isContinued: true },
      }),
      'certain waiting key',
    ],
    [
      'a question in PROMPT_COMMAND',
      evidenceOf([wait({ isShell: true })], {
        terminal: { ...plain, hasEditedLines: true, beforeCursor: 'Sure? ' },
        shell: { at: 'prompt', sinceInput: true, ownPid: 7 },
      }),
      'likely waiting line',
    ],
    [
      'the prompt of a shell that no longer edits lines',
      evidenceOf([wait({ isShell: true })], {
        terminal: { ...plain, hasEditedLines: true, beforeCursor: '$ ' },
        shell: { at: 'prompt', sinceInput: true, ownPid: 7, isDrawn: true },
      }),
      'certain waiting command',
    ],
    [
      'the prompt of a shell whose marks are gone',
      evidenceOf([wait({ isShell: true })], {
        lineMode: raw,
        terminal: { ...editing, beforeCursor: '$ ' },
        shell: { at: 'prompt', sinceInput: true, ownPid: 7, isUnmarked: true },
      }),
      'likely waiting command',
    ],
    [
      'a reader whose parent hides what it does',
      evidenceOf([wait(), thread({ doing: 'hidden' })]),
      'likely waiting line',
    ],
    [
      'a thread that asks a question, beside one that also waits for a connection',
      evidenceOf([wait(), loopWithPeer], { due: 'a connection' }),
      'likely waiting line',
    ],
    [
      'a pager on the main screen',
      evidenceOf([wait()], { lineMode: cbreak }),
      'certain waiting key',
    ],
    [
      'a full screen',
      evidenceOf([wait()], { lineMode: raw, terminal: fullScreen }),
      'certain waiting key',
    ],
    [
      'a program that draws on the main screen',
      evidenceOf([wait()], { lineMode: { ...raw, translatesLineFeed: false }, terminal: editing }),
      'certain waiting key',
    ],
    [
      'a full screen read by one thread, while another will go on by itself',
      evidenceOf([wait(), thread({ wakesInMs: 100 })], {
        lineMode: raw,
        terminal: fullScreen,
      }),
      'likely waiting key',
    ],
    [
      'a full screen that shows what comes through a pipe',
      evidenceOf([thread({ blockedOn: 'a pipe' })], { lineMode: raw, terminal: fullScreen }),
      'certain working waiting for another process',
    ],
    [
      'a line asked for on the alternate screen',
      evidenceOf([wait()], { terminal: fullScreen }),
      'certain waiting line',
    ],
    [
      'a shell after a program that died on the alternate screen',
      evidenceOf([wait({ isShell: true })], {
        lineMode: raw,
        terminal: { ...editing, ...fullScreen },
      }),
      'likely waiting command',
    ],
    [
      '`read -n 1` in a shell',
      evidenceOf([wait({ isShell: true })], { lineMode: cbreak }),
      'certain waiting key',
    ],
    [
      'a full screen that hosts an idle shell',
      nested([wait({ isShell: true })], { lineMode: raw, terminal: fullScreen }),
      'likely waiting key',
    ],
    [
      'raw, with the cursor hidden',
      evidenceOf([wait()], { lineMode: raw, terminal: { ...plain, cursorVisible: false } }),
      'certain waiting key',
    ],

    [
      'a shell at its prompt, without marks',
      evidenceOf([wait({ isShell: true })], { lineMode: raw, terminal: editing }),
      'likely waiting command',
    ],
    [
      'a shell at its prompt, with marks',
      evidenceOf([wait({ isShell: true })], {
        lineMode: raw,
        terminal: editing,
        shell: { at: 'prompt', sinceInput: true },
      }),
      'certain waiting command',
    ],
    [
      'a shell that edits no lines, at its prompt',
      evidenceOf([wait({ isShell: true })]),
      'likely waiting command',
    ],
    [
      '`read` in a shell that edits its lines',
      evidenceOf([wait({ isShell: true })], { terminal: { ...plain, hasEditedLines: true } }),
      'certain waiting line',
    ],
    [
      '`read` in a shell with marks',
      evidenceOf([wait({ isShell: true })], { shell: { at: 'command', sinceInput: true } }),
      'likely waiting line',
    ],
    [
      'a shell at its prompt, with marks of its own, beside a job that works',
      evidenceOf([wait({ isShell: true, isOnlyTarget: false }), thread({ doing: 'running' })], {
        lineMode: raw,
        terminal: editing,
        shell: { at: 'prompt', sinceInput: true, ownPid: 7 },
      }),
      'certain waiting command',
    ],
    [
      'a shell started by a shell with marks',
      evidenceOf([wait({ isShell: true })], {
        lineMode: raw,
        terminal: editing,
        shell: { at: 'command', sinceInput: true, ownPid: 1 },
      }),
      'likely waiting command',
    ],
    [
      '`read` in a shell with marks that are known to be its own',
      evidenceOf([wait({ isShell: true })], {
        shell: { at: 'command', sinceInput: true, ownPid: 7 },
      }),
      'likely waiting line',
    ],
    [
      '`read` after a mark that the command has printed',
      evidenceOf([wait({ isShell: true })], {
        shell: { at: 'prompt', sinceInput: true, ownPid: 7, isWithin: true },
      }),
      'likely waiting command',
    ],
    [
      'a program that asks, started by a shell with marks',
      evidenceOf([wait()], { shell: { at: 'command', sinceInput: true, ownPid: 1 } }),
      'certain waiting line',
    ],
    [
      '`read -s` in a shell with marks',
      evidenceOf([wait({ isShell: true })], {
        lineMode: noEcho,
        shell: { at: 'command', sinceInput: true },
      }),
      'certain waiting secret',
    ],

    [
      'a pipeline of which one member reads the terminal',
      evidenceOf([wait(), thread({ blockedOn: 'a pipe' })]),
      'certain waiting line',
    ],
    [
      'a thread that computes beside one that reads',
      evidenceOf([wait(), thread({ pid: 7, doing: 'running' })]),
      'certain working computing',
    ],
    [
      'a thread on the disk beside one that reads',
      evidenceOf([wait(), thread({ pid: 7, doing: 'on the disk' })]),
      'certain working on the disk',
    ],
    [
      'typed input that is not read',
      evidenceOf([wait()], { hasUnreadInput: true }),
      'certain working not known',
    ],
    [
      'a line editor whose prompt is back, though it draws on and has not read the answer to a question of its own',
      evidenceOf([thread({ doing: 'running' })], {
        lineMode: raw,
        hasUnreadInput: true,
        terminal: { ...editing, pasteOnSinceInput: true, isPromptAgain: true, wasLikelyLine: true },
      }),
      'likely waiting line',
    ],
    [
      'a line typed at a sleeping program',
      evidenceOf([thread({ blockedOn: 'a timer' })], { hasUnreadInput: true }),
      'certain working sleeping',
    ],

    [
      'an event loop that began a new line',
      evidenceOf([wait({ isOnlyTarget: false })], {
        lineMode: raw,
        terminal: { ...editing, pasteOnSinceInput: true },
      }),
      'likely waiting line',
    ],
    [
      'an event loop after a prompt',
      evidenceOf([wait({ isOnlyTarget: false })], {
        lineMode: raw,
        terminal: { ...plain, beforeCursor: '> ' },
      }),
      'likely waiting line',
    ],
    [
      'an event loop with a promise pending',
      evidenceOf([wait({ isOnlyTarget: false })], { lineMode: raw }),
      'likely working not known',
    ],
    [
      'a full screen with a clock',
      evidenceOf([wait({ isOnlyTarget: false })], { lineMode: raw, terminal: fullScreen }),
      'likely waiting key',
    ],
    [
      'the same in mid-draw',
      evidenceOf([wait({ isOnlyTarget: false })], {
        lineMode: raw,
        terminal: fullScreen,
        silence: { outputMs: 3, inputMs: 9 },
      }),
      'likely working not known',
    ],
    [
      'an editor that switched paste on when it started',
      evidenceOf([wait({ isOnlyTarget: false })], {
        lineMode: raw,
        terminal: { ...fullScreen, bracketedPaste: true, pasteOnSinceInput: true },
      }),
      'likely waiting key',
    ],

    [
      'a remote shell that edits a line',
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true })], {
        lineMode: raw,
        terminal: { ...editing, pasteOnSinceInput: true, beforeCursor: '$ ' },
      }),
      'likely waiting line',
    ],
    [
      'the same, and its prompt is not there yet',
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true })], {
        lineMode: raw,
        terminal: { ...editing, pasteOnSinceInput: true },
      }),
      'likely working on the network',
    ],
    [
      'a remote shell with marks',
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true })], {
        lineMode: raw,
        shell: { at: 'prompt', sinceInput: true },
      }),
      'likely waiting command',
    ],
    [
      'a remote question',
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true })], {
        lineMode: raw,
        terminal: { ...plain, beforeCursor: 'Name: ' },
      }),
      'likely waiting line',
    ],
    [
      'a key that was read without a word, before a time-out: it may be the beginning of another',
      evidenceOf([wait({ isOnlyTarget: false, wakes: 1 })], {
        lineMode: raw,
        terminal: fullScreen,
        silence: { outputMs: 500, inputMs: 200 },
      }),
      'likely working not known',
    ],
    [
      'the same after the time-out',
      evidenceOf([wait({ isOnlyTarget: false, wakes: 2 })], {
        lineMode: raw,
        terminal: fullScreen,
        silence: { outputMs: 500, inputMs: 200 },
      }),
      'likely waiting key',
    ],
    [
      'a reader beside a thread that waits for others to connect',
      evidenceOf([wait(), thread({ blockedOn: 'new connections' })], {
        openTo: 'a new connection',
      }),
      'likely waiting line',
    ],
    [
      'a remote question that has not changed since it was answered',
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true })], {
        lineMode: raw,
        terminal: { ...plain, beforeCursor: 'Name: ' },
        silence: { outputMs: 500, inputMs: 200 },
      }),
      'likely working on the network',
    ],
    [
      'the same for a long time',
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true })], {
        lineMode: raw,
        terminal: { ...plain, beforeCursor: 'Name: ' },
        silence: { outputMs: 2000, inputMs: 1500 },
      }),
      'guess waiting line',
    ],
    [
      'a remote screen that has not changed since a key was pressed',
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true })], {
        lineMode: raw,
        terminal: fullScreen,
        silence: { outputMs: 500, inputMs: 200 },
      }),
      'likely working on the network',
    ],
    [
      'a command that has come back from afar, and its Enter not yet',
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true })], {
        lineMode: raw,
        terminal: { ...plain, beforeCursor: '$ sleep 9', isEcho: true },
        silence: { outputMs: 200, inputMs: 500 },
      }),
      'likely working on the network',
    ],
    [
      'a remote program at work',
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true })], { lineMode: raw }),
      'likely working on the network',
    ],
    [
      'a client that reads the terminal in a thread of its own',
      evidenceOf([wait({ alsoWaitsForPeer: true })], { lineMode: raw }),
      'likely working on the network',
    ],
    [
      'a relay we cannot see behind',
      evidenceOf([wait({ isBlindRelay: true })], { lineMode: raw }),
      'likely working on the network',
    ],

    [
      'a program asleep',
      evidenceOf([thread({ blockedOn: 'a timer' })]),
      'certain working sleeping',
    ],
    [
      'a program that looks at the terminal between short sleeps, after a prompt, just now',
      evidenceOf([thread({ blockedOn: 'a timer', mayGlance: true })], {
        terminal: { ...plain, beforeCursor: 'name> ' },
      }),
      'likely working sleeping',
    ],
    [
      'the same in long silence',
      evidenceOf([thread({ blockedOn: 'a timer', mayGlance: true })], {
        terminal: { ...plain, beforeCursor: 'name> ' },
        silence: { outputMs: 5000, inputMs: 5000 },
      }),
      'guess waiting line',
    ],
    [
      'the same without a prompt',
      evidenceOf([thread({ blockedOn: 'a timer', mayGlance: true })], {
        silence: { outputMs: 5000, inputMs: 5000 },
      }),
      'likely working sleeping',
    ],
    [
      'the same while a process writes to its pipe',
      evidenceOf(
        [thread({ blockedOn: 'a timer', mayGlance: true }), thread({ blockedOn: 'a pipe' })],
        {
          terminal: { ...plain, beforeCursor: 'name> ' },
          silence: { outputMs: 5000, inputMs: 5000 },
        },
      ),
      'likely working sleeping',
    ],
    ['a busy loop', evidenceOf([thread({ doing: 'running' })]), 'certain working computing'],
    [
      'a shell that waits for its child',
      evidenceOf([thread({ blockedOn: 'a child' }), thread({ blockedOn: 'a timer' })]),
      'certain working sleeping',
    ],
    [
      'an idle server',
      evidenceOf([thread({ blockedOn: 'the network' })]),
      'certain working on the network',
    ],
    [
      "a passphrase asked for by a daemon's helper",
      evidenceOf([thread({ blockedOn: 'the network' })], {
        lineMode: noEcho,
        terminal: { ...plain, beforeCursor: 'Passphrase: ' },
        silence: { outputMs: 200, inputMs: 500 },
      }),
      'likely waiting secret',
    ],
    [
      'the same when it has been typed',
      evidenceOf([thread({ blockedOn: 'the network' })], {
        lineMode: noEcho,
        terminal: { ...plain, beforeCursor: 'Passphrase: ' },
        silence: { outputMs: 500, inputMs: 200 },
      }),
      'certain working on the network',
    ],
    ['a stopped program', evidenceOf([thread({ doing: 'stopped' })]), 'certain working stopped'],
    [
      'Ctrl-S',
      evidenceOf([thread({ blockedOn: 'the terminal to take output' })]),
      'certain working stopped by Ctrl-S',
    ],
    [
      'a screen that refreshes itself and never waits for the terminal',
      evidenceOf([thread({ blockedOn: 'a timer' })], { lineMode: raw, terminal: fullScreen }),
      'likely waiting key',
    ],
    [
      'a command of an editor, which has given the terminal back',
      evidenceOf([thread({ blockedOn: 'a child' }), thread({ pid: 9, blockedOn: 'a timer' })], {
        terminal: fullScreen,
      }),
      'certain working sleeping',
    ],
    [
      'the same while it computes',
      evidenceOf([thread({ doing: 'running' })], { terminal: fullScreen }),
      'certain working computing',
    ],

    [
      "another user's program that asks for a password",
      evidenceOf([thread({ doing: 'hidden' })], { lineMode: noEcho }),
      'likely waiting secret',
    ],
    [
      "another user's program after a prompt, just now",
      evidenceOf([thread({ doing: 'hidden' })], { terminal: { ...plain, beforeCursor: 'y/n ' } }),
      'guess working not known',
    ],
    [
      "another user's program after a prompt, in long silence",
      evidenceOf([thread({ doing: 'hidden' })], {
        terminal: { ...plain, beforeCursor: 'y/n ' },
        silence: { outputMs: 5000, inputMs: 5000 },
      }),
      'guess waiting line',
    ],
    [
      "another user's program, silent",
      evidenceOf([thread({ doing: 'hidden' })], { silence: { outputMs: 60_000, inputMs: 60_000 } }),
      'guess working not known',
    ],
    [
      'a foreground that /proc hides, at a password',
      evidenceOf([], { lineMode: noEcho }),
      'likely waiting secret',
    ],
    [
      'a request of an io_uring that may read the terminal, after a prompt, in long silence',
      evidenceOf([thread({ blockedOn: 'something else' })], {
        mayReadUnseen: true,
        due: 'a request that cannot be seen',
        terminal: { ...plain, beforeCursor: 'name> ' },
        silence: { outputMs: 5000, inputMs: 5000 },
      }),
      'guess waiting line',
    ],
    ['a foreground that /proc hides', evidenceOf([]), 'guess working not known'],
    [
      'a call we do not know',
      evidenceOf([thread({ blockedOn: 'a call we do not know' })]),
      'likely working not known',
    ],
    [
      'no kernel to ask, and silence',
      { terminal: plain, silence: { outputMs: 60_000, inputMs: 60_000 } },
      'guess working not known',
    ],
  ])('%s', (_what, evidence, verdict) => {
    expect(verdictOf(evidence)).toBe(verdict);
  });

  test('a verdict names the program, the prompt and the evidence', () => {
    expect(
      judge(evidenceOf([wait()], { terminal: { ...plain, beforeCursor: 'Your name: ' } })),
    ).toEqual({
      state: 'waiting',
      waitingFor: 'line',
      prompt: 'Your name: ',
      certainty: 'certain',
      because: 'it sleeps until the terminal has input',
      foreground: 'program',
    });
  });

  test('a full screen has no prompt', () => {
    const evidence = evidenceOf([wait()], {
      lineMode: raw,
      terminal: { ...fullScreen, beforeCursor: 'text' },
    });
    expect(judge(evidence)).not.toHaveProperty('prompt');
  });
});

describe('where one reads the terminal and others work', () => {
  const child = (more: Partial<ThreadEvidence> = {}) =>
    thread({ parent: 7, doing: 'running', ...more });
  const grandchild = thread({ pid: 9, parent: 8, doing: 'on the disk' });
  const own = (more: Partial<ThreadEvidence> = {}) =>
    thread({ pid: 7, blockedOn: 'another thread', ...more });

  test.each<[what: string, evidence: Evidence, verdict: string]>([
    ['a job that a REPL has started', evidenceOf([wait(), child()]), 'likely waiting line'],
    [
      'what such a job has started',
      evidenceOf([wait(), child({ doing: 'blocked', blockedOn: 'a child' }), grandchild]),
      'likely waiting line',
    ],
    [
      'a job, and others of it that will go on by themselves',
      evidenceOf([wait(), child(), thread({ pid: 9, parent: 8, wakesInMs: 100 })]),
      'likely waiting line',
    ],
    [
      'a job of a program that make waits for',
      evidenceOf([thread({ pid: 6, blockedOn: 'a child' }), { ...wait(), parent: 6 }, child()]),
      'likely waiting line',
    ],
    [
      'a job of a program with idle threads',
      evidenceOf([wait(), own(), child()]),
      'likely waiting line',
    ],
    [
      'a job of a shell without marks, an event loop that began a new line',
      evidenceOf([wait({ isShell: true, isOnlyTarget: false }), child()], {
        lineMode: raw,
        terminal: { ...editing, pasteOnSinceInput: true },
      }),
      'likely waiting command',
    ],
    [
      'the same with a line half typed',
      evidenceOf([wait({ isShell: true, isOnlyTarget: false }), child()], {
        lineMode: raw,
        terminal: { ...editing, beforeCursor: '> ls' },
      }),
      'likely waiting command',
    ],

    [
      'a thread of the reader beside its job',
      evidenceOf([wait(), child(), thread({ pid: 7, doing: 'running' })]),
      'certain working computing',
    ],
    [
      'the process that has started the reader',
      evidenceOf([thread({ pid: 6, doing: 'running' }), { ...wait(), parent: 6 }]),
      'certain working computing',
    ],
    [
      'the same with a shell between them',
      evidenceOf([
        thread({ pid: 5, doing: 'running' }),
        thread({ pid: 6, parent: 5, blockedOn: 'a child' }),
        { ...wait(), parent: 6 },
      ]),
      'certain working computing',
    ],
    [
      'another member of a pipeline',
      evidenceOf([wait(), thread({ doing: 'running' })]),
      'likely working computing',
    ],
    [
      'a job whose parents are gone, beside one whose are not',
      evidenceOf([wait(), child(), thread({ pid: 9, doing: 'running' })]),
      'likely working computing',
    ],
    [
      'a job that one thread of the reader awaits',
      evidenceOf([wait(), thread({ pid: 7, blockedOn: 'a child' }), child()]),
      'likely working computing',
    ],
    [
      'a job whose findings another thread of the reader reads',
      evidenceOf([wait(), thread({ pid: 7, blockedOn: 'a pipe' }), child()]),
      'likely working computing',
    ],
    [
      'a job of an event loop that is also woken by it',
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true }), child()], {
        lineMode: raw,
        terminal: { ...editing, pasteOnSinceInput: true },
      }),
      'likely working computing',
    ],
    [
      'a job of an event loop that has begun no line',
      evidenceOf([wait({ isOnlyTarget: false }), child()], {
        lineMode: raw,
        terminal: { ...plain, beforeCursor: 'Compiling ' },
      }),
      'likely working computing',
    ],
    [
      'a job of a reader that will go on by itself',
      evidenceOf([wait(), own({ wakesInMs: 100 }), child()]),
      'likely working computing',
    ],
    [
      'a job of a relay we cannot see behind',
      evidenceOf([wait({ isBlindRelay: true }), child()], { lineMode: raw }),
      'likely working computing',
    ],
    [
      'a job of one of two that read',
      evidenceOf([wait(), { ...wait(), pid: 9 }, child()]),
      'likely working computing',
    ],
  ])('%s', (_what, evidence, verdict) => {
    expect(verdictOf(evidence)).toBe(verdict);
  });

  test('the verdict says so, and does not claim that the program surely waits', () => {
    const shell = wait({ isShell: true });
    expect(judge(evidenceOf([shell, child()], { lineMode: raw, terminal: editing }))).toEqual({
      state: 'waiting',
      waitingFor: 'command',
      certainty: 'likely',
      because: 'it waits for the terminal, and only what it has started works',
      foreground: 'program',
    });
  });
});

test('that a shell waits is certain where only what it waits for is not', () => {
  const surelyWaits = (evidence: Evidence) => {
    const verdict = judge(evidence);
    return verdict.state === 'waiting' && verdict.surelyWaits === true;
  };
  const shell = wait({ isShell: true });
  expect(surelyWaits(evidenceOf([shell], { lineMode: raw, terminal: editing }))).toBe(true);
  // mc's own shell is idle, whatever mc does.
  expect(surelyWaits(nested([shell], { lineMode: raw, terminal: fullScreen }))).toBe(false);
  expect(surelyWaits(evidenceOf([wait({ isOnlyTarget: false })], { terminal: plain }))).toBe(false);
  expect(
    surelyWaits(
      evidenceOf([wait({ isOnlyTarget: false, alsoWaitsForPeer: true })], { terminal: editing }),
    ),
  ).toBe(false);
});

describe('what else may happen', () => {
  const loop = (wakesInMs?: number): ThreadEvidence => {
    const { wakesInMs: _, ...rest } = wait({ isOnlyTarget: false });
    return { ...rest, ...(wakesInMs !== undefined && { wakesInMs }) };
  };
  const prompt = { ...plain, beforeCursor: '> ' };

  test.each<[what: string, evidence: Evidence, verdict: string, isSettled: boolean]>([
    [
      'nothing: an event loop that only its own threads and the terminal can wake',
      evidenceOf([loop()], { terminal: prompt }),
      'certain waiting line',
      false,
    ],
    [
      'a timer in some seconds, at a prompt',
      evidenceOf([loop(5000)], { terminal: prompt }),
      'likely waiting line',
      true,
    ],
    [
      'the same of another thread',
      evidenceOf([loop(), thread({ wakesInMs: 5000 })], { terminal: prompt }),
      'likely waiting line',
      true,
    ],
    [
      'a timer in some seconds, on a screen that was painted just now',
      evidenceOf([loop(4000)], {
        lineMode: raw,
        terminal: fullScreen,
        silence: { outputMs: 0, inputMs: 1 },
      }),
      'likely waiting key',
      true,
    ],
    [
      'the same while it draws',
      evidenceOf([loop(4000)], { lineMode: raw, terminal: { ...fullScreen, isDrawing: true } }),
      'likely working not known',
      false,
    ],
    [
      'a timer in some seconds, and no prompt',
      evidenceOf([loop(5000)]),
      'likely working not known',
      false,
    ],
    [
      'a timer in some seconds, of another process than the one that reads, and no prompt',
      evidenceOf([wait(), thread({ wakesInMs: 5000 })]),
      'likely waiting line',
      true,
    ],
    ['a timer soon', evidenceOf([loop(999)], { terminal: prompt }), 'likely waiting line', false],
    [
      'a timer soon, of a program that has begun to read a line',
      evidenceOf([loop(400)], { terminal: { ...prompt, pasteOnSinceInput: true } }),
      'likely waiting line',
      true,
    ],
    [
      'a timer of which nobody knows whether it is set',
      evidenceOf([wait()], { terminal: prompt, hasTimers: true }),
      'likely waiting line',
      true,
    ],
    [
      'a process that the reader has started',
      evidenceOf([wait()], { terminal: prompt, due: 'a process that it has started' }),
      'likely waiting line',
      false,
    ],
    [
      'the same beside a timer that is far',
      evidenceOf([loop(5000)], { terminal: prompt, due: 'a process that it has started' }),
      'likely waiting line',
      false,
    ],
    [
      'a timer that is near, at the prompt at which a line was typed',
      evidenceOf([loop(15)], { terminal: { ...prompt, isPromptAgain: true } }),
      'likely waiting line',
      true,
    ],
    [
      'a connection, at the prompt at which a line was typed',
      evidenceOf([loopWithPeer], { terminal: { ...prompt, isPromptAgain: true } }),
      'likely waiting line',
      true,
    ],
    [
      'a request that cannot be seen, where nobody seems to read',
      evidenceOf([thread({ blockedOn: 'something else' })], { due: 'a request' }),
      'likely working not known',
      false,
    ],
    [
      'the change of a file, on a painted screen',
      evidenceOf([loop(300_000)], {
        lineMode: raw,
        terminal: fullScreen,
        openTo: 'a change of a file',
      }),
      'likely waiting key',
      true,
    ],
    [
      'a connection, behind which a line editor has drawn its prompt',
      evidenceOf([loopWithPeer], {
        lineMode: raw,
        terminal: {
          ...editing,
          beforeCursor: '$ ',
          pasteOnSinceInput: true,
          printedSincePasteOn: true,
        },
      }),
      'likely waiting line',
      true,
    ],
    [
      'a connection, behind which a line editor may not have drawn its prompt yet',
      evidenceOf([loopWithPeer], {
        lineMode: raw,
        terminal: { ...editing, beforeCursor: 'an unfinished line', pasteOnSinceInput: true },
      }),
      'likely waiting line',
      false,
    ],
    [
      'nothing, on a screen around a shell that is idle',
      nested([wait({ isShell: true })], { lineMode: raw, terminal: fullScreen }),
      'likely waiting key',
      true,
    ],
  ])('%s', (_what, evidence, verdict, isSettled) => {
    expect(verdictOf(evidence)).toBe(verdict);
    expect('isSettled' in judge(evidence)).toBe(isSettled);
  });
});

test('a program that is hidden for a reason of ours names it, and one that can be seen does not', () => {
  const hiddenBy = 'its calls are hidden';
  const hidden = evidenceOf([thread({ doing: 'hidden' })], { lineMode: noEcho, hiddenBy });
  expect(judge(hidden)).toMatchObject({
    certainty: 'likely',
    because: 'the terminal does not echo; its calls are hidden',
  });
  expect(judge(evidenceOf([wait()], { hiddenBy })).because).not.toContain(hiddenBy);
});
