/**
 * A person at a session: what the program draws goes to their terminal, what they press to the
 * program. Several may be there at once; the session then has the size that fits in every window of
 * those who type.
 */
import { userInfo } from 'node:os';
import { connectDaemon, type DaemonSessions } from '../../daemon/client/daemon-sessions.ts';
import { KeyboardTaken, ProgramExited, SessionNotFound, TerminalError } from '../../errors.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import type { SessionEvent } from '../../session/sessions.ts';
import { ownLink } from '../../system/proc/own-process.ts';
import { describeExit, exitStatus } from '../../system/process/exit.ts';
import { DONE, FAILED } from '../exit-codes.ts';
import { printRemark } from '../output/print-result.ts';
import { DirectDisplay } from './direct-display.ts';
import { Hotkeys } from './hotkeys.ts';
import { MirrorDisplay } from './mirror-display.ts';
import { PersonTerminal } from './person-terminal.ts';

export interface AttachOptions {
  readOnly: boolean;
  take: boolean;
}

interface Size {
  cols: number;
  rows: number;
}

/** How it ended: what to say, and the exit code. */
export interface AttachEnding {
  how: 'detached' | 'exited' | 'closed' | 'daemon lost' | 'signalled';
  says: string;
  code: number;
  /** Nobody is there to be asked to put things back. */
  isGone?: true;
}

/** What to press, and what where nothing is typed. */
const HOTKEYS = 'Ctrl-\\ d detaches, Ctrl-\\ t takes the keyboard or gives it back';
const WAY_OUT = 'q or Ctrl-C leaves';

export const attach = async (session: string, options: AttachOptions): Promise<AttachEnding> => {
  // Never a new daemon: it would not have the session.
  const sessions = await connectDaemon({ start: false });
  try {
    return await new Attachment(sessions, session, options).last();
  } finally {
    await sessions[Symbol.asyncDispose]();
  }
};

const assertAlive = async (sessions: DaemonSessions, session: string): Promise<void> => {
  const all = await sessions.list();
  const found = all.find((summary) => summary.session === session);
  if (found === undefined) throw SessionNotFound.among(session, all);
  if (found.state !== 'exited') return;
  const { exitCode: code, signal } = found;
  const exit = { ...ifDefined('code', code), ...ifDefined('signal', signal) };
  throw new ProgramExited('attached to', describeExit(exit), session);
};

class Attachment {
  readonly #sessions: DaemonSessions;
  readonly #session: string;
  readonly #options: AttachOptions;
  readonly #call = { actor: ownActorName() };
  readonly #terminal = new PersonTerminal();
  readonly #hotkeys = new Hotkeys();
  readonly #ended: Promise<AttachEnding>;
  #end: (ending: AttachEnding) => void = () => {};
  #unsubscribe = () => {};
  #isFitting = false;
  #before: Size | undefined;
  #hasKeyboard = false;

  constructor(sessions: DaemonSessions, session: string, options: AttachOptions) {
    this.#sessions = sessions;
    this.#session = session;
    this.#options = options;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Lasts until the person detaches, or the session or the daemon ends. */
  async last(): Promise<AttachEnding> {
    const name = this.#session;
    const end = (event: SessionEvent) => this.#hearOfTheEnd(event);
    this.#sessions.subscribe(end, name, ['exited', 'closed']);
    await assertAlive(this.#sessions, name);
    if (this.#options.take) await this.#take();
    printRemark(`[${name}: ${this.#options.readOnly ? WAY_OUT : HOTKEYS}]`);
    this.#before = await this.#sizeNow();
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
      process.on(signal, () =>
        this.#end({
          how: 'signalled',
          says: `ended by ${signal}`,
          code: exitStatus({ signal })!,
        }),
      );
    this.#terminal.enter(
      (bytes) => this.#pressed(bytes),
      () => void this.#fit(),
      () => this.#watch(),
    );
    this.#terminal.title(this.#hasKeyboard ? `${name}: you have the keyboard` : name);
    let ending: AttachEnding;
    try {
      await this.#fit();
      ending = await this.#ended;
    } finally {
      this.#unsubscribe();
      this.#terminal.leave();
    }
    if (!ending.isGone) await this.#putBack();
    return ending;
  }

  /** The session takes our window's size; then all is drawn anew. */
  async #fit(): Promise<void> {
    this.#isFitting = true;
    try {
      const { cols, rows } = this.#terminal.size;
      if (!this.#options.readOnly) await this.#sessions.resize(this.#session, cols, rows);
    } catch (error) {
      // What has ended tells so itself.
      if (!(error instanceof TerminalError)) throw error;
    } finally {
      this.#isFitting = false;
    }
    this.#watch();
  }

  /** From the screen as it is now. */
  #watch(): void {
    this.#unsubscribe();
    let isCurrent = true;
    const onEvent = (event: SessionEvent) => {
      if (isCurrent) this.#hear(event);
    };
    const stop = this.#sessions.subscribe(onEvent, this.#session, ['screen', 'output', 'resized']);
    this.#unsubscribe = () => {
      isCurrent = false;
      stop();
    };
  }

  #hear(event: SessionEvent): void {
    if (event.type === 'output') this.#terminal.output(event.bytes);
    else if (event.type === 'screen') this.#show(event);
    else if (event.type === 'resized') this.#resized(event);
  }

  /** All the time: the end is told once, and never to whoever subscribes after it. */
  #hearOfTheEnd(event: SessionEvent): void {
    if (event.type === 'exited') this.#end({ how: 'exited', says: howItExited(event), code: DONE });
    else if (event.type === 'closed') void this.#closed();
  }

  #show(drawn: Size & { dump: string }): void {
    const { cols, rows } = this.#terminal.size;
    const isOurSize = drawn.cols === cols && drawn.rows === rows;
    this.#terminal.show(isOurSize ? DirectDisplay : MirrorDisplay, drawn);
  }

  /** By somebody else, whose window may be larger than ours. */
  #resized({ cols, rows }: Size): void {
    if (this.#isFitting) return;
    const ours = this.#terminal.size;
    const fitting = { cols: Math.min(cols, ours.cols), rows: Math.min(rows, ours.rows) };
    const fits = fitting.cols === cols && fitting.rows === rows;
    if (this.#options.readOnly || fits) this.#watch();
    else {
      this.#sessions.resize(this.#session, fitting.cols, fitting.rows).then(
        () => this.#watch(),
        // It is just ending.
        () => {},
      );
    }
  }

  #pressed(bytes: Buffer): void {
    for (const pressed of this.#hotkeys.take(bytes)) {
      if ('bytes' in pressed) this.#type(pressed.bytes);
      else if (pressed.hotkey === 'detach') this.#detach();
      else void this.#takeOrGiveBack();
    }
  }

  #type(bytes: Buffer): void {
    if (this.#options.readOnly) {
      if (bytes.includes('q') || bytes.includes('\x03')) this.#detach();
      return;
    }
    this.#sessions.type(this.#session, bytes, this.#call).catch((error) => {
      if (error instanceof KeyboardTaken)
        this.#terminal.title(`${this.#session}: ${error.details.actor} has the keyboard`);
      this.#terminal.bell();
    });
  }

  #detach(): void {
    this.#end({
      how: 'detached',
      says: `detached; it goes on. \`repartee attach ${this.#session}\` comes back`,
      code: DONE,
    });
  }

  async #takeOrGiveBack(): Promise<void> {
    if (this.#options.readOnly) return;
    try {
      if (this.#hasKeyboard) await this.#giveBack();
      else await this.#take();
      const words = this.#hasKeyboard ? 'you have the keyboard' : 'everybody can type';
      this.#terminal.title(`${this.#session}: ${words}`);
    } catch (error) {
      if (error instanceof KeyboardTaken)
        this.#terminal.title(`${this.#session}: ${error.details.actor} has the keyboard`);
      this.#terminal.bell();
    }
  }

  async #take(): Promise<void> {
    await this.#sessions.take(this.#session, this.#call);
    this.#hasKeyboard = true;
  }

  async #giveBack(): Promise<void> {
    await this.#sessions.giveBack(this.#session, this.#call);
    this.#hasKeyboard = false;
  }

  #sizeNow(): Promise<Size> {
    return new Promise((resolve, reject) => {
      const stop = this.#sessions.subscribe(
        (event) => {
          stop();
          if (event.type === 'screen') resolve({ cols: event.cols, rows: event.rows });
          else reject(new SessionNotFound(this.#session, []));
        },
        this.#session,
        ['screen', 'closed'],
      );
    });
  }

  async #closed(): Promise<void> {
    try {
      await this.#sessions.list();
      this.#end({ how: 'closed', says: 'somebody closed it', code: DONE, isGone: true });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#end({
        how: 'daemon lost',
        says: `the daemon has ended. ${why}`,
        code: FAILED,
        isGone: true,
      });
    }
  }

  /** The size it had, and the keyboard. Where the program has ended meanwhile there is nothing to do. */
  async #putBack(): Promise<void> {
    try {
      if (this.#hasKeyboard) await this.#giveBack();
      const { cols, rows } = this.#before!;
      if (!this.#options.readOnly) await this.#sessions.resize(this.#session, cols, rows);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
    }
  }
}

const howItExited = ({ exitCode, signal }: { exitCode?: number; signal?: string }): string =>
  signal === undefined
    ? `it exited with code ${exitCode ?? 'unknown'}`
    : `it was ended by ${signal}`;

/** Two people may be the same user: each has a terminal. */
const ownActorName = (): string => {
  const terminal = ownLink(0).replace(/^\/dev\//, '');
  try {
    return `${userInfo().username} on ${terminal}`;
  } catch {
    // A number that no list of users has a name for.
    return `user ${process.getuid?.()} on ${terminal}`;
  }
};
