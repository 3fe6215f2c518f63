/**
 * The windows in which people see each session, and the size that a session gets from them.
 *
 * It only decides; the caller resizes. The rule is tmux's: the size of the window that was used last, or
 * the largest size that fits into all windows.
 */
import type { Size } from '../../../system/terminal/pty-device.ts';
import type { SizeRule } from '../../protocol/protocol.ts';

interface AttachedSession<Client> {
  rule: SizeRule;
  /** The size to return to when the last window is gone. */
  ownSize: Size;
  /** The window that was used last comes last. */
  windows: Map<Client, Size>;
}

export class AttachedWindows<Client> {
  readonly #sessions = new Map<string, AttachedSession<Client>>();

  /**
   * A new window, or one that has another size now. A rule holds for all windows of the session, until
   * all are gone or another is given. Returns the size that the session should have.
   */
  attach(
    session: string,
    client: Client,
    { window, rule, current }: { window: Size; rule: SizeRule | undefined; current: Size },
  ): Size {
    const attached: AttachedSession<Client> = this.#sessions.get(session) ?? {
      rule: 'latest',
      ownSize: current,
      windows: new Map(),
    };
    this.#sessions.set(session, attached);
    attached.rule = rule ?? attached.rule;
    attached.windows.delete(client);
    attached.windows.set(client, window);
    return sizeOf(attached);
  }

  /** Called when something is typed in a window. Returns the size, if another window was used before. */
  use(session: string, client: Client): Size | undefined {
    const attached = this.#sessions.get(session);
    const window = attached?.windows.get(client);
    if (attached === undefined || window === undefined) return undefined;
    if ([...attached.windows.keys()].at(-1) === client) return undefined;
    attached.windows.delete(client);
    attached.windows.set(client, window);
    return sizeOf(attached);
  }

  /** Returns the size that the session should have now. Undefined if the window was not attached. */
  detach(session: string, client: Client): Size | undefined {
    const attached = this.#sessions.get(session);
    if (!attached?.windows.delete(client)) return undefined;
    if (attached.windows.size === 0) this.#sessions.delete(session);
    return sizeOf(attached);
  }

  /** Called when a client is gone. */
  release(client: Client): { session: string; size: Size }[] {
    return [...this.#sessions.keys()].flatMap((session) => {
      const size = this.detach(session, client);
      return size === undefined ? [] : { session, size };
    });
  }

  /** Called when the session was resized by request: it returns to that size, and has it meanwhile. */
  setOwnSize(session: string, size: Size): void {
    const attached = this.#sessions.get(session);
    if (attached !== undefined) attached.ownSize = size;
  }

  rename(from: string, to: string): void {
    const attached = this.#sessions.get(from);
    this.#sessions.delete(from);
    if (attached !== undefined) this.#sessions.set(to, attached);
  }

  forget(session: string): void {
    this.#sessions.delete(session);
  }
}

const sizeOf = ({ rule, ownSize, windows }: AttachedSession<unknown>): Size => {
  const all = [...windows.values()];
  if (rule === 'latest' || all.length === 0) return all.at(-1) ?? ownSize;
  return {
    cols: Math.min(...all.map(({ cols }) => cols)),
    rows: Math.min(...all.map(({ rows }) => rows)),
  };
};
