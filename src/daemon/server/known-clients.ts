/** The clients that have an id: those that are connected, and those that may come back. */
import type { ClientIdentity } from '../protocol/protocol.ts';
import { Client, type ClientCallbacks } from './client.ts';
import type { ClientConnection } from './client-connection.ts';
import { KeptAnswers, type KeptAnswersOptions } from './kept-answers.ts';

/** Each may keep some megabytes of answers. The longest gone is forgotten first. */
const MAX_ABSENT = 32;

export interface KnownClientsOptions {
  screenOf: KeptAnswersOptions['screenOf'];
  onGone: ClientCallbacks['onGone'];
}

export class KnownClients {
  readonly #options: KnownClientsOptions;
  readonly #clients = new Map<string, Client>();

  constructor(options: KnownClientsOptions) {
    this.#options = options;
  }

  /** `requestId`: of its hello. What it asked before is known only if the client is. */
  connect(
    connection: ClientConnection,
    requestId: number,
    identity?: ClientIdentity,
  ): { client: Client; resumed: boolean } {
    const client =
      (identity && this.#clients.get(identity.id)) ?? this.#add(requestId, identity?.id);
    if (identity !== undefined) this.#clients.set(identity.id, client);
    const resumed = client.connect(connection, identity);
    this.#forgetLongestGone();
    return { client, resumed };
  }

  #add(requestId: number, id: string | undefined): Client {
    const { screenOf, onGone } = this.#options;
    const answers =
      id === undefined ? undefined : new KeptAnswers({ firstId: requestId, screenOf });
    const onForgotten = (client: Client) => {
      if (id !== undefined && this.#clients.get(id) === client) this.#clients.delete(id);
    };
    return new Client(answers, { onGone, onForgotten });
  }

  #forgetLongestGone(): void {
    const gone = [...this.#clients.values()]
      .filter(({ isConnected }) => !isConnected)
      .sort((one, other) => (one.awaySinceMs ?? 0) - (other.awaySinceMs ?? 0));
    for (const client of gone.slice(0, Math.max(0, gone.length - MAX_ABSENT))) client.forget();
  }
}
