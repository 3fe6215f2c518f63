import { decodeJson, encodeJson } from '../../../src/daemon/protocol/json-with-bytes.ts';
import type { Transport, TransportClose } from '../../../src/daemon/protocol/transport.ts';

/** Two transports in this process: what one sends, the other gets, a copy, a turn later. */
export const memoryTransports = (): [MemoryTransport, MemoryTransport] => {
  const one = new MemoryTransport();
  const other = new MemoryTransport();
  one.peer = other;
  other.peer = one;
  return [one, other];
};

export class MemoryTransport implements Transport {
  onMessage: (message: unknown) => void = () => {};
  onDrained: () => void = () => {};
  onClosed: (close: TransportClose) => void = () => {};
  maxMessageBytes = Number.POSITIVE_INFINITY;
  readonly queuedBytes = 0;
  isOpen = true;
  peer: MemoryTransport | undefined;

  start(): void {}

  send(message: object): void {
    const { json, bytes } = encodeJson(message, 'apart');
    const copy = Buffer.concat(bytes);
    setImmediate(() => this.isOpen && this.peer?.onMessage(decodeJson(json, copy)));
  }

  end(): void {
    this.destroy('it was ended');
  }

  destroy(reason: string): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.onClosed({ by: 'here', reason });
    const { peer } = this;
    if (!peer?.isOpen) return;
    peer.isOpen = false;
    peer.onClosed({ by: 'there', reason: 'it closed' });
  }
}
