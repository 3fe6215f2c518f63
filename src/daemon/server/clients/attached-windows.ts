/**
 * The windows in which people see each session, and the size that a session gets from them.
 *
 * It only decides; the caller resizes. The rule is tmux's: the size of the window that was used last, or
 * the largest size that fits into all windows. A client is known by its key.
 */
import type { Size } from '../../../system/terminal/pty-device.ts';
import type { SizeRule } from '../../protocol/protocol.ts';

/** The windows of a session, as data. Without any: it is to return to its own size. */
export interface WindowsNote {
  rule: SizeRule;
  ownSize: Size;
  windows: readonly (readonly [client: string, size: Size])[];
}

interface AttachedSession {
  rule: SizeRule;
  /** The size to return to when the last window is gone. */
  ownSize: Size;
  /** The window that was used last comes last. */
  windows: Map<string, Size>;
}

export class AttachedWindows {
  readonly #sessions = new Map<string, AttachedSession>();
  readonly #onChange: (session: string, note: WindowsNote) => void;

  /** `onChange`: called before the session is resized. */
  constructor(onChange: (session: string, note: WindowsNote) => void = () => {}) {
    this.#onChange = onChange;
  }

  /**
   * A new window, or one that has another size now. A rule holds for all windows of the session, until
   * all are gone or another is given. Returns the size that the session should have.
   */
  attach(
    session: string,
    client: string,
    { window, rule, current }: { window: Size; rule: SizeRule | undefined; current: Size },
  ): Size {
    const attached: AttachedSession = this.#sessions.get(session) ?? {
      rule: 'latest',
      ownSize: current,
      windows: new Map(),
    };
    this.#sessions.set(session, attached);
    attached.rule = rule ?? attached.rule;
    attached.windows.delete(client);
    attached.windows.set(client, window);
    this.#changed(session, attached);
    return sizeOf(attached);
  }

  /** As another process has left it. Returns the size that the session should have. */
  restore(session: string, { rule, ownSize, windows }: WindowsNote): Size {
    const attached = { rule, ownSize, windows: new Map(windows) };
    if (windows.length > 0) this.#sessions.set(session, attached);
    return sizeOf(attached);
  }

  isAttached(session: string): boolean {
    return this.#sessions.has(session);
  }

  /** Called when something is typed in a window. Returns the size, if another window was used before. */
  use(session: string, client: string): Size | undefined {
    const attached = this.#sessions.get(session);
    const window = attached?.windows.get(client);
    if (attached === undefined || window === undefined) return undefined;
    if ([...attached.windows.keys()].at(-1) === client) return undefined;
    attached.windows.delete(client);
    attached.windows.set(client, window);
    this.#changed(session, attached);
    return sizeOf(attached);
  }

  /** Returns the size that the session should have now. Undefined if the window was not attached. */
  detach(session: string, client: string): Size | undefined {
    const attached = this.#sessions.get(session);
    if (!attached?.windows.delete(client)) return undefined;
    if (attached.windows.size === 0) this.#sessions.delete(session);
    this.#changed(session, attached);
    return sizeOf(attached);
  }

  /** Called when a client is gone. */
  release(client: string): { session: string; size: Size }[] {
    return [...this.#sessions.keys()].flatMap((session) => {
      const size = this.detach(session, client);
      return size === undefined ? [] : { session, size };
    });
  }

  /** Called when the session was resized by request: it returns to that size, and has it meanwhile. */
  setOwnSize(session: string, size: Size): void {
    const attached = this.#sessions.get(session);
    if (attached === undefined) return;
    attached.ownSize = size;
    this.#changed(session, attached);
  }

  rename(from: string, to: string): void {
    const attached = this.#sessions.get(from);
    this.#sessions.delete(from);
    if (attached !== undefined) this.#sessions.set(to, attached);
  }

  forget(session: string): void {
    this.#sessions.delete(session);
  }

  #changed(session: string, { rule, ownSize, windows }: AttachedSession): void {
    this.#onChange(session, { rule, ownSize, windows: [...windows] });
  }
}

const sizeOf = ({ rule, ownSize, windows }: AttachedSession): Size => {
  const all = [...windows.values()];
  if (rule === 'latest' || all.length === 0) return all.at(-1) ?? ownSize;
  return {
    cols: Math.min(...all.map(({ cols }) => cols)),
    rows: Math.min(...all.map(({ rows }) => rows)),
  };
};
