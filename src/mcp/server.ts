/**
 * What one MCP connection is served: tools of the dialects, the sessions as resources, a prompt.
 *
 * stdio and HTTP make their servers here, for clients of both eras. A 2025 connection begins with
 * `initialize` and is sent changes unasked once it has looked at the resources; a 2026 one has
 * neither, and the doors deliver changes to the streams it opens.
 */
import {
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { VERSION } from '../daemon/protocol/version.ts';
import type { Dialect } from '../dialects/tool.ts';
import type { Sessions } from '../session/sessions.ts';
import { instructionsFor } from './instructions.ts';
import { getPrompt, prompts } from './prompts.ts';
import type { ResourceChange, ResourceChanges } from './resource-changes.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import { callTool, toolNamed, toolsOf } from './tools.ts';

export interface ServerContext {
  dialects: readonly Dialect[];
  sessions: Sessions;
  changes: ResourceChanges;
}

/** The SDK's own schemas would make an error of ours, internal, of a client's. */
const ofPrompt = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).exactOptional(),
});
const ofResource = z.looseObject({ uri: z.string() });

export const createServer = (
  offer: ServerContext,
  { era }: Pick<McpRequestContext, 'era'>,
): Server => {
  const { dialects, sessions, changes } = offer;
  const tools = toolsOf(dialects);
  const server = new Server(
    { name: 'repartee', title: 'Repartee', version: VERSION },
    {
      capabilities: {
        tools: {},
        prompts: {},
        resources: { subscribe: true, listChanged: true },
      },
      instructions: instructionsFor(dialects),
    },
  );
  /** The SDK would serve a 2025 client that never said hello. */
  const requireHello = () => {
    if (era === 'legacy' && server.getClientVersion() === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        'This connection is not initialized. Send an initialize request first.',
      );
  };

  server.setRequestHandler('tools/list', () => {
    requireHello();
    return { tools: tools.map(({ advertised }) => advertised) };
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    requireHello();
    return callTool(toolNamed(params.name, tools), params.arguments, mcpReq);
  });
  server.setRequestHandler('prompts/list', () => {
    requireHello();
    return { prompts };
  });
  server.setRequestHandler('prompts/get', { params: ofPrompt }, (params) => {
    requireHello();
    return getPrompt(params);
  });

  const subscribed = new Set<string>();
  let stopList: (() => void) | undefined;
  let stopResources: (() => void) | undefined;
  server.onclose = () => {
    stopList?.();
    stopResources?.();
  };
  server.setRequestHandler('resources/list', async () => {
    requireHello();
    // Whoever has not seen the list need not hear that it changed.
    if (era === 'legacy')
      stopList ??= changes.listenToList((change) => notifyChange(server, change));
    return { resources: await listResources(sessions) };
  });
  server.setRequestHandler('resources/templates/list', () => {
    requireHello();
    return { resourceTemplates };
  });
  server.setRequestHandler('resources/read', { params: ofResource }, async (params) => {
    requireHello();
    return { contents: [await readResource(params.uri, sessions)] };
  });
  server.setRequestHandler('resources/subscribe', { params: ofResource }, (params) => {
    requireHello();
    subscribed.add(params.uri);
    stopResources ??= changes.listenToResources((change) => {
      if (change.kind === 'resource' && subscribed.has(change.uri)) notifyChange(server, change);
    });
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', { params: ofResource }, (params) => {
    requireHello();
    subscribed.delete(params.uri);
    return {};
  });
  return server;
};

export const notifyChange = (server: Server, change: ResourceChange): void => {
  const sent =
    change.kind === 'list'
      ? server.sendResourceListChanged()
      : server.sendResourceUpdated({ uri: change.uri });
  // The connection can go while a change is on its way; then nobody waits for it.
  sent.catch(() => {});
};
