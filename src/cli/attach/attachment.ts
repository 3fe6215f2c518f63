/**
 * Attaches a person to a session: the program's output goes to their terminal, their keys to the
 * program. Several people can be attached at once. The daemon decides which of their windows the session
 * has the size of, and does not ask those that only read.
 */

import { connectDaemon, DaemonSessions } from '../../daemon/client/daemon-sessions.ts';
import type { SizeRule } from '../../daemon/protocol/protocol.ts';
import { KeyboardTaken, ProgramExited, SessionNotFound, TerminalError } from '../../errors.ts';
import { isOnHost, splitSessionName } from '../../hosts/session-address.ts';
import { userName } from '../../session/caller.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import type { SessionEvent, SessionSummary, Sessions } from '../../session/sessions.ts';
import { ownDescriptorLink } from '../../system/proc/own-process.ts';
import { describeExit } from '../../system/process/describe-exit.ts';
import { printRemark } from '../output/print-result.ts';
import {
  type AttachEnding,
  daemonLost,
  detachedFrom,
  endedBySignal,
  programExited,
  sessionClosed,
} from './attach-ending.ts';
import { AttachedStatus } from './attached-status.ts';
import { currentScreen } from './current-screen.ts';
import type { ScreenDump } from './display.ts';
import { HotkeyParser } from './hotkeys.ts';
import { PersonTerminal } from './person-terminal.ts';
import { HOTKEY_HELP } from './status-line.ts';

export interface AttachOptions {
  readOnly: boolean;
  take: boolean;
  /** For everybody attached. @default as before; `latest` for the first */
  size: SizeRule | undefined;
  /** Programs may set the person's clipboard. */
  clipboard: boolean;
  /** A status line takes the window's last row, until a key hides it. */
  status: boolean;
}

interface NamedAtEnd {
  /** The session's name at the end. It may have been renamed. */
  session: string;
}

/** A person who leaves does not wait for a daemon that is silent. */
const LEAVING_LIMIT_MS = 1000;
/** What a program has printed before its end may be long, and the machine busy. */
const LAST_OUTPUT_LIMIT_MS = 20_000;

const READ_ONLY_HELP = 'q or Ctrl-C leaves';

export const attachTerminal = async (
  session: string,
  options: AttachOptions,
): Promise<AttachEnding & NamedAtEnd> => {
  const sessions = await connectTo(session);
  try {
    return await new Attachment(sessions, session, options).run();
  } finally {
    await sessions[Symbol.asyncDispose]();
  }
};

/** What shows a session in a window. */
type ShownSessions = Sessions & Pick<DaemonSessions, 'attach' | 'detach'>;

const connectTo = async (session: string): Promise<ShownSessions> => {
  // A new daemon would not have the session, so none is started.
  const local = { start: false, caller: { door: 'attach', person: true } } as const;
  if (!isOnHost(session)) return connectDaemon(local);
  const { withHosts } = await import('../../hosts/with-hosts.ts');
  // That a person is here cannot be seen from there.
  const far = { caller: { door: 'attach' }, mayAsk: true, inPlace: true } as const;
  const sessions = withHosts(new DaemonSessions(local), far)!;
  // From then on its sessions are listed.
  await sessions.listOn(splitSessionName(session).host!);
  return sessions;
};

const assertAlive = async (sessions: Sessions, session: string): Promise<SessionSummary> => {
  const all = await sessions.list();
  const found = all.find((summary) => summary.session === session);
  if (found === undefined) throw SessionNotFound.among(session, all);
  if (found.state !== 'exited') return found;
  const { exitCode: code, signal } = found;
  const exit = { ...ifDefined('code', code), ...ifDefined('signal', signal) };
  throw new ProgramExited('attached to', describeExit(exit), session);
};

class Attachment {
  readonly #sessions: ShownSessions;
  readonly #options: AttachOptions;
  readonly #call = { actor: ownActorName() };
  readonly #terminal: PersonTerminal;
  readonly #hotkeys = new HotkeyParser();
  readonly #ended: Promise<AttachEnding>;
  #end: (ending: AttachEnding) => void = () => {};
  #unsubscribe = () => {};
  /** While we resize the session ourselves. */
  #isResizing = false;
  readonly #status: AttachedStatus;
  /** Another session may get the same name. */
  #pid = 0;

  constructor(sessions: ShownSessions, session: string, options: AttachOptions) {
    this.#sessions = sessions;
    this.#options = options;
    this.#terminal = new PersonTerminal(() => this.#watch(), options.clipboard);
    this.#status = new AttachedStatus(this.#terminal, {
      session,
      actor: this.#call.actor,
      isReadOnly: options.readOnly,
      isHidden: !options.status,
    });
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get #session(): string {
    return this.#status.session;
  }

  /** Returns when the person detaches, or the session or the daemon ends. */
  async run(): Promise<AttachEnding & NamedAtEnd> {
    const name = this.#session;
    // Subscribed from the start: these events come only once.
    const types = ['renamed', 'exited', 'closed', 'state', 'keyboard'] as const;
    this.#sessions.subscribe((event) => this.#onSessionChange(event), name, types);
    const { pid, keyboard } = await assertAlive(this.#sessions, name);
    this.#pid = pid;
    this.#status.noteHolder(keyboard);
    if (this.#options.take) await this.#takeKeyboard();
    if (this.#status.isHidden)
      printRemark(`[${name}: ${this.#options.readOnly ? READ_ONLY_HELP : HOTKEY_HELP}]`);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
      process.on(signal, () => this.#end(endedBySignal(signal)));
    this.#terminal.start(
      (bytes) => this.#onKeys(bytes),
      () => void this.#fitToWindow(),
    );
    this.#status.begin();
    let ending: AttachEnding;
    let last: ScreenDump | undefined;
    try {
      await this.#fitToWindow();
      ending = await this.#ended;
      this.#unsubscribe();
      if (!ending.isSessionGone) last = await this.#lastScreen(ending);
      // It may have exited before its output came: a slow reader's output is left out on the way.
      if (last !== undefined && ending.reason === 'exited') this.#terminal.show(last);
    } finally {
      this.#unsubscribe();
      this.#terminal.restore(last);
    }
    if (!ending.isSessionGone) await this.#restoreSession();
    return { ...ending, session: this.#session };
  }

  #lastScreen({ reason }: AttachEnding): Promise<ScreenDump | undefined> {
    const limitMs = reason === 'exited' ? LAST_OUTPUT_LIMIT_MS : LEAVING_LIMIT_MS;
    return currentScreen(this.#sessions, this.#session, limitMs);
  }

  /** Tells the daemon the size of our window, then redraws everything. */
  async #fitToWindow(): Promise<void> {
    this.#isResizing = true;
    try {
      const { readOnly, size } = this.#options;
      if (!readOnly) await this.#sessions.attach(this.#session, this.#terminal.size, size);
    } catch (error) {
      // The session has ended: an event says so too.
      if (!(error instanceof TerminalError)) throw error;
    } finally {
      this.#isResizing = false;
    }
    this.#watch();
  }

  /** Subscribes again, which begins with the current screen. */
  #watch(): void {
    this.#unsubscribe();
    let isCurrent = true;
    const onEvent = (event: SessionEvent) => {
      if (isCurrent) this.#onEvent(event);
    };
    const stop = this.#sessions.subscribe(onEvent, this.#session, ['screen', 'output', 'resized']);
    this.#unsubscribe = () => {
      isCurrent = false;
      stop();
    };
  }

  #onEvent(event: SessionEvent): void {
    if (event.type === 'output') this.#terminal.output(event.bytes);
    else if (event.type === 'screen') this.#terminal.show(event);
    // Somebody else's window decides now. While we resize it ourselves, we redraw afterwards.
    else if (event.type === 'resized' && !this.#isResizing) this.#watch();
  }

  #onSessionChange(event: SessionEvent): void {
    this.#status.onEvent(event);
    if (event.type === 'exited') this.#end(programExited(event));
    else if (event.type === 'closed') void this.#onClosed();
  }

  #onKeys(bytes: Buffer): void {
    this.#status.onKey();
    for (const pressed of this.#hotkeys.parse(bytes)) {
      if ('bytes' in pressed) this.#type(pressed.bytes);
      else if (pressed.hotkey === 'detach') this.#detach();
      else if (pressed.hotkey === 'keyboard') void this.#toggleKeyboard();
      else if (pressed.hotkey === 'status') this.#toggleStatus();
      else this.#hintAtHotkeys();
    }
    this.#status.afterKeys(this.#hotkeys.isAfterPrefix);
  }

  #toggleStatus(): void {
    this.#status.toggle();
    void this.#fitToWindow();
  }

  #type(bytes: Buffer): void {
    if (this.#options.readOnly) {
      if (bytes.includes('q') || bytes.includes('\x03')) this.#detach();
      return;
    }
    this.#sessions
      .type(this.#session, bytes, this.#call)
      .catch((error) => this.#onKeyboardError(error));
  }

  #onKeyboardError(error: unknown): void {
    if (error instanceof KeyboardTaken) this.#status.say(`${error.details.actor} has the keyboard`);
    this.#terminal.bell();
  }

  /** After Ctrl-\ came a key that means nothing to us. The program gets neither. */
  #hintAtHotkeys(): void {
    this.#status.say(HOTKEY_HELP);
    this.#terminal.bell();
  }

  #detach(): void {
    this.#end(detachedFrom(this.#session));
  }

  async #toggleKeyboard(): Promise<void> {
    if (this.#options.readOnly) return;
    try {
      if (this.#status.hasKeyboard) await this.#giveKeyboardBack();
      else await this.#takeKeyboard();
      this.#status.say(this.#status.hasKeyboard ? 'you have the keyboard' : 'everybody can type');
    } catch (error) {
      this.#onKeyboardError(error);
    }
  }

  async #takeKeyboard(): Promise<void> {
    await this.#sessions.take(this.#session, this.#call);
    this.#status.noteHolder(this.#call.actor);
  }

  async #giveKeyboardBack(): Promise<void> {
    await this.#sessions.giveBack(this.#session, this.#call);
    this.#status.noteHolder(undefined);
  }

  async #onClosed(): Promise<void> {
    try {
      const session = (await this.#sessions.list()).find(({ pid }) => pid === this.#pid);
      // The daemon was restarted, and has forgotten who is attached.
      if (session !== undefined && session.state !== 'exited') return await this.#comeBack();
      if (session !== undefined) return this.#onSessionChange({ ...session, type: 'exited' });
      this.#end(sessionClosed);
    } catch (error) {
      this.#end(daemonLost(error));
    }
  }

  async #comeBack(): Promise<void> {
    const take = this.#status.hasKeyboard ? this.#takeKeyboard() : undefined;
    await take?.catch((error) => {
      this.#status.noteHolder(undefined);
      this.#onKeyboardError(error);
    });
    await this.#fitToWindow();
  }

  /** Gives back the keyboard and the size, unless the program has ended. */
  async #restoreSession(): Promise<void> {
    try {
      if (this.#status.hasKeyboard) await this.#giveKeyboardBack();
      if (!this.#options.readOnly) await this.#sessions.detach(this.#session);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
    }
  }
}

/** With the terminal's name, since two people may use the same account. */
const ownActorName = (): string =>
  `${userName()} on ${ownDescriptorLink(0).replace(/^\/dev\//, '')}`;
