/** Writes the parts of a session down, and makes them whole again: field by field. */
import type { StoredPages } from '../../keeper/stored-pages.ts';
import type { Screen } from '../../screen/screen.ts';
import type { InputQueue } from '../input/input-queue.ts';
import type { TerminalReplyQueue } from '../input/reply-queue.ts';
import { ifDefined } from '../options/if-defined.ts';
import type { EchoDetector } from '../output/echo-detector.ts';
import type { HiddenSpans } from '../output/hidden-spans.ts';
import type { SessionReaders } from '../output/session-readers.ts';
import { CommandTracker } from '../run/command-tracker.ts';
import { forgetAtEnd } from '../run/forget-at-end.ts';
import type { SessionShell } from '../run/session-shell.ts';
import type { MaskedOutput } from '../secrets/masked-output.ts';
import type { Session } from '../session.ts';
import type { SessionSnapshot, ShellSnapshot } from './session-snapshot.ts';

export interface RestorableParts {
  readonly shell: SessionShell;
  readonly masking: MaskedOutput;
  readonly echo: EchoDetector;
  readonly hidden: HiddenSpans;
  readonly replies: TerminalReplyQueue;
  readonly readers: SessionReaders;
  readonly input: InputQueue;
  readonly screen: Screen;
}

type PartsSnapshot = Pick<
  SessionSnapshot,
  'shell' | 'mask' | 'echo' | 'hidden' | 'replies' | 'readers' | 'input' | 'screen'
>;

/** With `pages`, what does not change any more is stored there. */
export const snapshotParts = (parts: RestorableParts, pages?: StoredPages): PartsSnapshot => ({
  shell: parts.shell.snapshot(),
  mask: parts.masking.snapshot(),
  echo: parts.echo.snapshot(),
  hidden: parts.hidden.snapshot(),
  replies: parts.replies.snapshot(),
  readers: parts.readers.snapshot(),
  input: parts.input.snapshot(),
  screen: (pages && parts.screen.blankSnapshot()) ?? parts.screen.snapshot(pages),
});

/** Shell and screen are made from their snapshots; the others are new ones on that screen. */
export const restoreParts = (parts: RestorableParts, snapshot: PartsSnapshot): void => {
  parts.masking.restore(snapshot.mask);
  parts.echo.restore(snapshot.echo);
  parts.hidden.restore(snapshot.hidden);
  parts.replies.restore(snapshot.replies);
  parts.readers.restore(snapshot.readers);
  parts.input.restore(snapshot.input);
};

/** Nobody waits for it any more, but while it runs the session is busy. */
export const restoreRunningCommand = (session: Session, { running }: ShellSnapshot): void => {
  if (running === undefined) return;
  const { tracker, ...command } = running;
  const restored = tracker && CommandTracker.restore(session, tracker);
  session.shell.running = { ...command, isAwaited: false, ...ifDefined('tracker', restored) };
  forgetAtEnd(session.shell);
};
