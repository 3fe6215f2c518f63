/**
 * Keyboards and windows of clients, written down with the sessions that they concern. After a crash a
 * client has the usual time to come back to them.
 */
import type { LocalSessions } from '../../../session/local-sessions.ts';
import type { Size } from '../../../system/terminal/pty-device.ts';
import { AttachedWindows, type WindowsNote } from '../clients/attached-windows.ts';
import { type KeyboardHolder, KeyboardHolders } from '../clients/keyboard-holders.ts';

const KEYBOARD = 'keyboard';
const WINDOWS = 'windows';

export class ClientHoldings {
  readonly keyboards = new KeyboardHolders((session, holder) =>
    this.#note(session, KEYBOARD, holder ?? null),
  );
  readonly windows = new AttachedWindows((session, note) => this.#note(session, WINDOWS, note));
  readonly #sessions: LocalSessions;
  readonly #expected = new Set<string>();

  constructor(sessions: LocalSessions) {
    this.#sessions = sessions;
  }

  /** The keys of the clients to which something belongs that was taken over. */
  get expected(): ReadonlySet<string> {
    return this.#expected;
  }

  /** What was noted with a session that will be gone on with. If it is somebody's, that is done now. */
  expect(session: string, attachments: ReadonlyMap<string, unknown>): void {
    if (attachments.get(KEYBOARD) || attachments.get(WINDOWS)) this.#sessions.keptAs(session);
  }

  /** Goes on with what was noted with a session. */
  takeOver(session: string, attachments: ReadonlyMap<string, unknown>): void {
    this.#takeKeyboardOver(session, attachments.get(KEYBOARD) as KeyboardHolder | null | undefined);
    const noted = attachments.get(WINDOWS) as WindowsNote | null | undefined;
    if (noted === null || noted === undefined) return;
    for (const [client] of noted.windows) this.#expected.add(client);
    this.resize(session, this.windows.restore(session, noted));
  }

  onClosed(session: string): void {
    this.keyboards.forget(session);
    this.windows.forget(session);
  }

  onRenamed(from: string, to: string): void {
    this.keyboards.rename(from, to);
    this.windows.rename(from, to);
  }

  /** Does nothing if it has that size, or has ended meanwhile. */
  resize(session: string, size: Size | undefined): void {
    const found = this.#find(session);
    if (size === undefined || found === undefined || found.terminal.exit !== undefined) return;
    const { cols, rows } = found.screen.modes;
    if (cols !== size.cols || rows !== size.rows) found.resize(size.cols, size.rows);
    // It has its own size again: only now need that not be known any more.
    if (!this.windows.isAttached(session) && found.kept?.attachments.get(WINDOWS))
      found.kept.noteAttachment(WINDOWS, null);
  }

  /** The note counts, not the session: a keyboard that no client holds would be taken for ever. */
  #takeKeyboardOver(session: string, noted: KeyboardHolder | null | undefined): void {
    const { input, openedBy: caller } = this.#find(session)!;
    const { keyboardHolder } = input;
    if (keyboardHolder !== undefined && keyboardHolder !== noted?.actor)
      input.giveBack({ name: keyboardHolder, caller });
    if (noted === null || noted === undefined) return;
    input.take({ name: noted.actor, caller });
    this.keyboards.restore(session, noted);
    for (const client of noted.clients) this.#expected.add(client);
  }

  #note(session: string, key: string, value: unknown): void {
    this.#find(session)?.kept?.noteAttachment(key, value);
  }

  #find(session: string) {
    return this.#sessions.all.find(({ name }) => name === session);
  }
}
