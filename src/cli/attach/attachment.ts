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
import type { SessionEvent, Sessions } from '../../session/sessions.ts';
import { ownDescriptorLink } from '../../system/proc/own-process.ts';
import { describeExit, shellExitStatus } from '../../system/process/describe-exit.ts';
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes.ts';
import { printRemark } from '../output/print-result.ts';
import { ownCommand } from '../own-command.ts';
import { DirectDisplay } from './direct-display.ts';
import type { ScreenDump } from './display.ts';
import { HotkeyParser } from './hotkeys.ts';
import { MirrorDisplay } from './mirror-display.ts';
import { PersonTerminal } from './person-terminal.ts';

export interface AttachOptions {
  readOnly: boolean;
  take: boolean;
  /** For everybody attached. @default as before; `latest` for the first */
  size: SizeRule | undefined;
  /** Programs may set the person's clipboard. */
  clipboard: boolean;
}

/** How the attachment ended. */
export interface AttachEnding {
  reason: 'detached' | 'exited' | 'closed' | 'daemon lost' | 'signalled';
  message: string;
  exitCode: number;
  /** The session or its daemon is gone, so size and keyboard cannot be given back. */
  isSessionGone?: true;
}

interface NamedAtEnd {
  /** The session's name at the end. It may have been renamed. */
  session: string;
}

const HOTKEY_HELP = 'Ctrl-\\ d detaches, Ctrl-\\ t takes the keyboard or gives it back';
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

/** Returns the pid of its program. */
const assertAlive = async (sessions: Sessions, session: string): Promise<number> => {
  const all = await sessions.list();
  const found = all.find((summary) => summary.session === session);
  if (found === undefined) throw SessionNotFound.among(session, all);
  if (found.state !== 'exited') return found.pid;
  const { exitCode: code, signal } = found;
  const exit = { ...ifDefined('code', code), ...ifDefined('signal', signal) };
  throw new ProgramExited('attached to', describeExit(exit), session);
};

class Attachment {
  readonly #sessions: ShownSessions;
  #session: string;
  readonly #options: AttachOptions;
  readonly #call = { actor: ownActorName() };
  readonly #terminal: PersonTerminal;
  readonly #hotkeys = new HotkeyParser();
  readonly #ended: Promise<AttachEnding>;
  #end: (ending: AttachEnding) => void = () => {};
  #unsubscribe = () => {};
  /** While we resize the session ourselves. */
  #isResizing = false;
  #hasKeyboard = false;
  /** Another session may get the same name. */
  #pid = 0;

  constructor(sessions: ShownSessions, session: string, options: AttachOptions) {
    this.#sessions = sessions;
    this.#session = session;
    this.#options = options;
    this.#terminal = new PersonTerminal(() => this.#watch(), options.clipboard);
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Returns when the person detaches, or the session or the daemon ends. */
  async run(): Promise<AttachEnding & NamedAtEnd> {
    const name = this.#session;
    // Subscribed from the start: these events come only once.
    const types = ['renamed', 'exited', 'closed'] as const;
    this.#sessions.subscribe((event) => this.#onSessionChange(event), name, types);
    this.#pid = await assertAlive(this.#sessions, name);
    if (this.#options.take) await this.#takeKeyboard();
    printRemark(`[${name}: ${this.#options.readOnly ? READ_ONLY_HELP : HOTKEY_HELP}]`);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
      process.on(signal, () =>
        this.#end({
          reason: 'signalled',
          message: `ended by ${signal}`,
          exitCode: shellExitStatus({ signal })!,
        }),
      );
    this.#terminal.start(
      (bytes) => this.#onKeys(bytes),
      () => void this.#fitToWindow(),
    );
    this.#showName();
    let ending: AttachEnding;
    try {
      await this.#fitToWindow();
      ending = await this.#ended;
    } finally {
      this.#unsubscribe();
      this.#terminal.restore();
    }
    if (!ending.isSessionGone) await this.#restoreSession();
    return { ...ending, session: this.#session };
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
    else if (event.type === 'screen') this.#show(event);
    // Somebody else's window decides now. While we resize it ourselves, we redraw afterwards.
    else if (event.type === 'resized' && !this.#isResizing) this.#watch();
  }

  #onSessionChange(event: SessionEvent): void {
    if (event.type === 'renamed') {
      this.#session = event.to;
      this.#showName();
    } else if (event.type === 'exited')
      this.#end({ reason: 'exited', message: exitMessage(event), exitCode: EXIT_DONE });
    else if (event.type === 'closed') void this.#onClosed();
  }

  #showName(): void {
    const keyboard = this.#hasKeyboard ? ': you have the keyboard' : '';
    this.#terminal.setTitle(`${this.#session}${keyboard}`);
  }

  #show(screen: ScreenDump): void {
    const { cols, rows } = this.#terminal.size;
    const isOurSize = screen.cols === cols && screen.rows === rows;
    this.#terminal.show(isOurSize ? DirectDisplay : MirrorDisplay, screen);
  }

  #onKeys(bytes: Buffer): void {
    for (const pressed of this.#hotkeys.parse(bytes)) {
      if ('bytes' in pressed) this.#type(pressed.bytes);
      else if (pressed.hotkey === 'detach') this.#detach();
      else if (pressed.hotkey === 'keyboard') void this.#toggleKeyboard();
      else this.#hintAtHotkeys();
    }
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
    if (error instanceof KeyboardTaken)
      this.#terminal.setTitle(`${this.#session}: ${error.details.actor} has the keyboard`);
    this.#terminal.bell();
  }

  /** After Ctrl-\ came a key that means nothing to us. The program gets neither. */
  #hintAtHotkeys(): void {
    this.#terminal.setTitle(`${this.#session}: ${HOTKEY_HELP}, Ctrl-\\ twice types it`);
    this.#terminal.bell();
  }

  #detach(): void {
    this.#end({
      reason: 'detached',
      message: `detached; it goes on. \`${ownCommand()} attach ${this.#session}\` comes back`,
      exitCode: EXIT_DONE,
    });
  }

  async #toggleKeyboard(): Promise<void> {
    if (this.#options.readOnly) return;
    try {
      if (this.#hasKeyboard) await this.#giveKeyboardBack();
      else await this.#takeKeyboard();
      const text = this.#hasKeyboard ? 'you have the keyboard' : 'everybody can type';
      this.#terminal.setTitle(`${this.#session}: ${text}`);
    } catch (error) {
      this.#onKeyboardError(error);
    }
  }

  async #takeKeyboard(): Promise<void> {
    await this.#sessions.take(this.#session, this.#call);
    this.#hasKeyboard = true;
  }

  async #giveKeyboardBack(): Promise<void> {
    await this.#sessions.giveBack(this.#session, this.#call);
    this.#hasKeyboard = false;
  }

  async #onClosed(): Promise<void> {
    try {
      const session = (await this.#sessions.list()).find(({ pid }) => pid === this.#pid);
      // The daemon was restarted, and has forgotten who is attached.
      if (session !== undefined && session.state !== 'exited') return await this.#comeBack();
      if (session !== undefined) return this.#onSessionChange({ ...session, type: 'exited' });
      this.#end({
        reason: 'closed',
        message: 'somebody closed it',
        exitCode: EXIT_DONE,
        isSessionGone: true,
      });
    } catch (error) {
      const details = error instanceof Error ? error.message : String(error);
      this.#end({
        reason: 'daemon lost',
        message: `the daemon has ended. ${details}`,
        exitCode: EXIT_FAILED,
        isSessionGone: true,
      });
    }
  }

  async #comeBack(): Promise<void> {
    const take = this.#hasKeyboard ? this.#takeKeyboard() : undefined;
    await take?.catch((error) => {
      this.#hasKeyboard = false;
      this.#onKeyboardError(error);
    });
    await this.#fitToWindow();
  }

  /** Gives back the keyboard and the size, unless the program has ended. */
  async #restoreSession(): Promise<void> {
    try {
      if (this.#hasKeyboard) await this.#giveKeyboardBack();
      if (!this.#options.readOnly) await this.#sessions.detach(this.#session);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
    }
  }
}

const exitMessage = ({ exitCode, signal }: { exitCode?: number; signal?: string }): string =>
  signal === undefined
    ? `it exited with code ${exitCode ?? 'unknown'}`
    : `it was ended by ${signal}`;

/** With the terminal's name, since two people may use the same account. */
const ownActorName = (): string =>
  `${userName()} on ${ownDescriptorLink(0).replace(/^\/dev\//, '')}`;
