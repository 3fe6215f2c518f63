/** Which clients hold a session's keyboard. It is given back when the last of them ends. */
export class KeyboardHolders<Client> {
  readonly #holders = new Map<string, { actor: string; clients: Set<Client> }>();

  take(session: string, actor: string, client: Client): void {
    const holder = this.#holders.get(session);
    if (holder?.actor === actor) holder.clients.add(client);
    else this.#holders.set(session, { actor, clients: new Set([client]) });
  }

  giveBack(session: string, client: Client): void {
    const holder = this.#holders.get(session);
    holder?.clients.delete(client);
    if (holder?.clients.size === 0) this.#holders.delete(session);
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
  release(client: Client): { session: string; actor: string }[] {
    const released: { session: string; actor: string }[] = [];
    for (const [session, { actor, clients }] of this.#holders) {
      if (!clients.delete(client) || clients.size > 0) continue;
      this.#holders.delete(session);
      released.push({ session, actor });
    }
    return released;
  }
}
