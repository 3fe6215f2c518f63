/** Which connections hold a session's keyboard. It is given back when the last of them ends. */
export class KeyboardHolders<Connection> {
  readonly #holders = new Map<string, { actor: string; connections: Set<Connection> }>();

  take(session: string, actor: string, connection: Connection): void {
    const holder = this.#holders.get(session);
    if (holder?.actor === actor) holder.connections.add(connection);
    else this.#holders.set(session, { actor, connections: new Set([connection]) });
  }

  giveBack(session: string, connection: Connection): void {
    const holder = this.#holders.get(session);
    holder?.connections.delete(connection);
    if (holder?.connections.size === 0) this.#holders.delete(session);
  }

  rename(from: string, to: string): void {
    const holder = this.#holders.get(from);
    this.#holders.delete(from);
    if (holder !== undefined) this.#holders.set(to, holder);
  }

  forget(session: string): void {
    this.#holders.delete(session);
  }

  /** Called when a connection has ended. Returns the keyboards that no connection holds any more. */
  release(connection: Connection): { session: string; actor: string }[] {
    const released: { session: string; actor: string }[] = [];
    for (const [session, { actor, connections }] of this.#holders) {
      if (!connections.delete(connection) || connections.size > 0) continue;
      this.#holders.delete(session);
      released.push({ session, actor });
    }
    return released;
  }
}
