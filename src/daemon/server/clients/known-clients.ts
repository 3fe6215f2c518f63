/** The clients that have an id: those that are connected, and those that may come back. */
import type { Caller } from '../../../session/caller.ts';
import type { ClientIdentity } from '../../protocol/protocol.ts';
import type { RequestLedger } from '../keeping/request-ledger.ts';
import { Client, RETURN_MS } from './client.ts';
import type { ClientConnection } from './client-connection.ts';
import { KeptAnswers, type KeptAnswersOptions } from './kept-answers.ts';

/** The longest gone is forgotten first. */
const MAX_ABSENT = 32;
/** Of the answers that are kept for them all. */
const MAX_ABSENT_BYTES = 64 * 2 ** 20;

/** No id begins like this. */
const UNNAMED = 'unnamed ';

export interface KnownClientsOptions {
  screenOf: KeptAnswersOptions['screenOf'];
  /** A client is gone: its keyboards are to be given back, and its windows count no more. */
  onGone(key: string, caller?: Caller): void;
  /** Of a daemon that is started again when it dies. */
  ledger?: RequestLedger | undefined;
}

export class KnownClients {
  readonly #options: KnownClientsOptions;
  readonly #clients = new Map<string, Client>();
  /** Known to the process before this one, with what ends the wait for them. */
  readonly #expected = new Map<string, NodeJS.Timeout>();
  #unnamed = 0;

  constructor(options: KnownClientsOptions) {
    this.#options = options;
  }

  /** `requestId`: of its hello. What it asked before is known only if the client is. */
  connect(
    connection: ClientConnection,
    requestId: number,
    identity?: ClientIdentity,
  ): { client: Client; resumed: boolean } {
    const client = (identity && this.#clients.get(identity.id)) ?? this.#add(requestId, identity);
    if (identity !== undefined) {
      this.#clients.set(identity.id, client);
      clearTimeout(this.#expected.get(identity.id));
      this.#expected.delete(identity.id);
    }
    const resumed = client.connect(connection, identity);
    this.#forgetLongestGone();
    return { client, resumed };
  }

  /** Called with the key of a client that held something in the process before this one. */
  expect(key: string): void {
    if (this.#clients.has(key) || this.#expected.has(key)) return;
    // One without an id has ended with its connection.
    const returnMs = key.startsWith(UNNAMED) ? 0 : RETURN_MS;
    const onGone = () => {
      this.#expected.delete(key);
      this.#options.onGone(key);
    };
    this.#expected.set(key, setTimeout(onGone, returnMs).unref());
  }

  isConnected(id: string | undefined): boolean {
    return id !== undefined && this.#clients.get(id)?.isConnected === true;
  }

  /** Resolves when all that has an effect, and has been begun, is done or only waits. */
  async untilEffectsAreDone(): Promise<void> {
    const clients = [...this.#clients.values()];
    await Promise.all(clients.map(({ answers }) => answers?.untilEffectsAreDone()));
  }

  /** Must be called before another program takes our place. */
  noteTyped(): void {
    for (const { answers } of this.#clients.values()) answers?.noteTyped();
  }

  onSessionRenamed(from: string, to: string): void {
    for (const client of this.#clients.values()) client.onSessionRenamed(from, to);
  }

  #add(requestId: number, identity: ClientIdentity | undefined): Client {
    const { screenOf, onGone, ledger } = this.#options;
    const id = identity?.id;
    // What it waits for was asked of the process before this one. Whatever is not noted was not begun.
    const isFromBefore = ledger !== undefined && id !== undefined && !ledger.isForgotten(id);
    const firstId = Math.min(requestId, ...((isFromBefore && identity?.pending) || []));
    const noted = id !== undefined &&
      ledger && { left: ledger.takeLeft(id), ledger: ledger.of(id) };
    const answers = id === undefined ? undefined : new KeptAnswers({ firstId, screenOf, ...noted });
    const onForgotten = (client: Client) => {
      if (id === undefined || this.#clients.get(id) !== client) return;
      this.#clients.delete(id);
      ledger?.forgetClient(id);
    };
    this.#unnamed++;
    return new Client(id ?? `${UNNAMED}${process.pid} ${this.#unnamed}`, answers, {
      onGone: ({ key, caller }) => onGone(key, caller),
      onForgotten,
    });
  }

  #forgetLongestGone(): void {
    const latestFirst = [...this.#clients.values()]
      .filter(({ isConnected }) => !isConnected)
      .sort((one, other) => (other.awaySinceMs ?? 0) - (one.awaySinceMs ?? 0));
    let bytes = 0;
    for (const [index, client] of latestFirst.entries()) {
      bytes += client.answers?.bytes ?? 0;
      if (index >= MAX_ABSENT || bytes > MAX_ABSENT_BYTES) client.forget();
    }
  }
}
