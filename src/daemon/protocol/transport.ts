/**
 * A connection that carries whole messages both ways: a socket today, the standard streams of a
 * bridge or a message broker another day. What is said on it is for others to know.
 */

/** Why a connection is over. */
export interface TransportClose {
  /** `here`: this side closed it. `there`: the other side did, or it broke. */
  by: 'here' | 'there';
  /** For a log or an error message. */
  reason: string;
}

export interface Transport {
  /** Called with every message, in order, once `start` was called. */
  onMessage: (message: unknown) => void;
  /** Called when the other side has taken everything that was sent. */
  onDrained: () => void;
  /** Called once, when nothing can be sent or received any more. */
  onClosed: (close: TransportClose) => void;
  /** A longer message closes the connection. Small until the other side has said hello. */
  maxMessageBytes: number;
  /** Bytes that were sent and not yet taken by the other side. */
  readonly queuedBytes: number;
  readonly isOpen: boolean;
  start(): void;
  /** Never waits. Does nothing when the connection is over. */
  send(message: object): void;
  /** Closes the connection after everything that was sent has been taken. */
  end(): void;
  /** Closes it at once. */
  destroy(reason: string): void;
}
