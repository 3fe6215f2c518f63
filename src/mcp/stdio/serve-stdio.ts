/** Serves one client over stdin and stdout until it disconnects. */
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { logToStderr } from '../log-to-stderr.ts';
import type { ResourceChange } from '../resource-changes.ts';
import { createMcpServer, type McpServerContext, sendResourceChange } from '../server.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface RunningStdioServer {
  /** Resolves when the client has disconnected. */
  ended: Promise<void>;
  close(): Promise<void>;
}

export const serveStdio = (context: McpServerContext): RunningStdioServer => {
  let server: Server | undefined;
  const unsubscribes: (() => void)[] = [];
  let resolveEnded = () => {};
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });
  // Other commands exit at once when nobody reads stdout. Here the sessions must end first.
  process.stdout.removeAllListeners('error');
  const transport = new StdioTransport(process.stdin, process.stdout, {
    onReceived(message) {
      // The SDK answers this 2026-era request itself and filters the changes for each stream.
      const isListen = 'method' in message && message.method === 'subscriptions/listen';
      if (!isListen || unsubscribes.length > 0) return;
      const { changes } = context;
      const onChange = (change: ResourceChange) => server && sendResourceChange(server, change);
      unsubscribes.push(changes.listenToList(onChange), changes.listenToResources(onChange));
    },
    onClosed() {
      for (const unsubscribe of unsubscribes) unsubscribe();
      resolveEnded();
    },
  });
  const handle = serve(
    (request) => {
      server = createMcpServer(context, request);
      return server;
    },
    { transport, onerror: (error) => logToStderr(error.message) },
  );
  return { ended, close: () => handle.close() };
};
