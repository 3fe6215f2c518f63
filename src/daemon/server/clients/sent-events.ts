/**
 * The last events that were sent to a client, numbered, in case it loses its connection before it has
 * got them. Those that occur while it is away wait here too.
 */
import type { DaemonNotifications } from '../../protocol/protocol.ts';

type NumberedEvent = DaemonNotifications['event'] & { number: number };

/** Several times what the kernel holds for a socket. */
const MAX_BYTES = 2 ** 20;
/** For what occurs while the client is away. */
const MAX_BYTES_AWAY = 4 * 2 ** 20;
/** What an event takes besides its bytes. */
const EVENT_BYTES = 200;

export class SentEvents {
  readonly #events: NumberedEvent[] = [];
  #bytes = 0;
  #last = 0;

  /** The rest of the room is for events that must not be left out. */
  get isFull(): boolean {
    return this.#bytes > MAX_BYTES_AWAY / 2;
  }

  /**
   * `queuedBytes`: what the connection has not sent yet is kept in any case. Undefined if the client is
   * away.
   */
  add(event: DaemonNotifications['event'], queuedBytes: number | undefined): NumberedEvent {
    this.#last++;
    const numbered = { ...event, number: this.#last };
    this.#events.push(numbered);
    this.#bytes += bytesOf(numbered);
    const most = queuedBytes === undefined ? MAX_BYTES_AWAY : MAX_BYTES + queuedBytes;
    while (this.#bytes > most) this.#bytes -= bytesOf(this.#events.shift()!);
    return numbered;
  }

  /** Forgets those before. Undefined if some of those after it are no longer kept. */
  after(number: number): readonly NumberedEvent[] | undefined {
    while (this.#events[0] !== undefined && this.#events[0].number <= number)
      this.#bytes -= bytesOf(this.#events.shift()!);
    const first = this.#events[0]?.number ?? this.#last + 1;
    return first === number + 1 ? [...this.#events] : undefined;
  }

  clear(): void {
    this.#events.length = 0;
    this.#bytes = 0;
  }
}

const bytesOf = ({ event }: NumberedEvent): number => {
  if ('bytes' in event) return EVENT_BYTES + event.bytes.length;
  return EVENT_BYTES + (event.type === 'screen' ? event.dump.length : 0);
};
