/** Which connections hold the keyboards that were taken: with the last of them it is given back. */
export class KeyboardHolders<Connection> {
  readonly #holders = new Map<string, { actor: string; connections: Set<Connection> }>();

  take(session: string, actor: string, connection: Connection): void {
    const held = this.#holders.get(session);
    if (held?.actor === actor) held.connections.add(connection);
    else this.#holders.set(session, { actor, connections: new Set([connection]) });
  }

  forget(session: string): void {
    this.#holders.delete(session);
  }

  /** What nobody holds now that this connection has ended. */
  release(connection: Connection): { session: string; actor: string }[] {
    const free: { session: string; actor: string }[] = [];
    for (const [session, { actor, connections }] of this.#holders) {
      if (!connections.delete(connection) || connections.size > 0) continue;
      this.#holders.delete(session);
      free.push({ session, actor });
    }
    return free;
  }
}
