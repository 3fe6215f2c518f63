/** Serves one client over stdin and stdout until it disconnects. */
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { ClientProgram } from '../../session/caller.ts';
import { logToStderr } from '../log-to-stderr.ts';
import type { ResourceChange } from '../resource-changes.ts';
import {
  clientProgram,
  createMcpServer,
  type McpServerContext,
  sendResourceChange,
} from '../server.ts';
import { StdioTransport } from './stdio-transport.ts';
import { ToolCalls } from './tool-calls.ts';

export interface RunningStdioServer {
  /** Resolves when the client has disconnected. */
  ended: Promise<void>;
  close(): Promise<void>;
}

export const serveStdio = (context: McpServerContext): RunningStdioServer => {
  let server: Server | undefined;
  let isLegacy = false;
  let known: { info: unknown; client: ClientProgram | undefined } | undefined;
  /** Of a 2025 connection. Only `initialize` makes it known. Its user can be asked through the SDK alone. */
  const client = () => {
    const isPlain = isLegacy && server?.getClientCapabilities()?.elicitation === undefined;
    const info = isPlain ? server?.getClientVersion() : undefined;
    if (known === undefined || known.info !== info) known = { info, client: clientProgram(info) };
    return known.client;
  };
  const unsubscribes: (() => void)[] = [];
  let resolveEnded = () => {};
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });
  // Other commands exit at once when nobody reads stdout. Here the sessions must end first.
  process.stdout.removeAllListeners('error');
  const calls: ToolCalls = new ToolCalls({
    dialects: context.dialects,
    client,
    send: (message) => transport.write(message),
  });
  const transport: StdioTransport = new StdioTransport(process.stdin, process.stdout, {
    take: (message) => calls.take(message),
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
      calls.end();
      resolveEnded();
    },
  });
  const handle = serve(
    (request) => {
      server = createMcpServer(context, request);
      isLegacy = request.era === 'legacy';
      return server;
    },
    { transport, onerror: (error) => logToStderr(error.message) },
  );
  return { ended, close: () => handle.close() };
};
