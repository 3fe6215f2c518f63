/** Serves one client over stdin and stdout, until it goes. */
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { log } from '../log.ts';
import type { ResourceChange } from '../resource-changes.ts';
import { createServer, notifyChange, type ServerContext } from '../server.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface RunningStdioServer {
  /** When the client has gone. */
  ended: Promise<void>;
  close(): Promise<void>;
}

export const serveStdio = (offer: ServerContext): RunningStdioServer => {
  let server: Server | undefined;
  const stops: (() => void)[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // To end at once when nobody reads any more suits other commands; here sessions are to end first.
  process.stdout.removeAllListeners('error');
  const transport = new StdioTransport(process.stdin, process.stdout, {
    received(message) {
      // The SDK answers this request of the 2026 era itself, and sends each change to whom it concerns.
      const isListen = 'method' in message && message.method === 'subscriptions/listen';
      if (!isListen || stops.length > 0) return;
      const hear = (change: ResourceChange) => server && notifyChange(server, change);
      stops.push(offer.changes.listenToList(hear), offer.changes.listenToResources(hear));
    },
    closed() {
      for (const stop of stops) stop();
      end();
    },
  });
  const handle = serve(
    (context) => {
      server = createServer(offer, context);
      return server;
    },
    { transport, onerror: (error) => log(error.message) },
  );
  return { ended, close: () => handle.close() };
};
