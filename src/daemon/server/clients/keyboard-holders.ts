/**
 * Which clients hold a session's keyboard. It is given back when the last of them ends. A client is known by
 * its key.
 */

/** As data. */
export interface KeyboardHolder {
  actor: string;
  clients: readonly string[];
}

export class KeyboardHolders {
  readonly #holders = new Map<string, { actor: string; clients: Set<string> }>();
  readonly #onChange: (session: string, holder: KeyboardHolder | undefined) => void;

  /** `onChange`: called when others hold a session's keyboard than before, or nobody. */
  constructor(onChange: (session: string, holder: KeyboardHolder | undefined) => void = () => {}) {
    this.#onChange = onChange;
  }

  take(session: string, actor: string, client: string): void {
    const holder = this.#holders.get(session);
    if (holder?.actor === actor) holder.clients.add(client);
    else this.#holders.set(session, { actor, clients: new Set([client]) });
    this.#changed(session);
  }

  giveBack(session: string, client: string): void {
    const holder = this.#holders.get(session);
    if (!holder?.clients.delete(client)) return;
    if (holder.clients.size === 0) this.#holders.delete(session);
    this.#changed(session);
  }

  /** As another process has left it. */
  restore(session: string, { actor, clients }: KeyboardHolder): void {
    this.#holders.set(session, { actor, clients: new Set(clients) });
  }

  rename(from: string, to: string): void {
    const holder = this.#holders.get(from);
    this.#holders.delete(from);
    if (holder !== undefined) this.#holders.set(to, holder);
  }

  forget(session: string): void {
    this.#holders.delete(session);
  }

  /** Called when a client is gone. Returns the keyboards that no client holds any more. */
  release(client: string): { session: string; actor: string }[] {
    const released: { session: string; actor: string }[] = [];
    for (const [session, { actor, clients }] of this.#holders) {
      if (!clients.delete(client)) continue;
      if (clients.size === 0) {
        this.#holders.delete(session);
        released.push({ session, actor });
      }
      this.#changed(session);
    }
    return released;
  }

  #changed(session: string): void {
    const holder = this.#holders.get(session);
    this.#onChange(session, holder && { actor: holder.actor, clients: [...holder.clients] });
  }
}
