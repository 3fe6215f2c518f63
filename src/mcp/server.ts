/**
 * Creates the server for one MCP connection: the dialects' tools, the sessions as resources, a prompt.
 *
 * stdio and HTTP both create their servers here, for clients of both eras. A 2025 connection begins
 * with `initialize` and gets changes once it has listed or subscribed to resources. A 2026 connection
 * has no `initialize`, and the transports send changes to the streams it opens.
 */
import {
  CLIENT_INFO_META_KEY,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Dialect } from '../dialects/tool.ts';
import { PACKAGE_VERSION } from '../package-version.ts';
import type { ClientProgram } from '../session/caller.ts';
import type { Asking } from '../session/input/approval.ts';
import type { Sessions } from '../session/sessions.ts';
import { askInCall, canElicit } from './elicitation.ts';
import { serverInstructions } from './instructions.ts';
import type { OpenCalls } from './open-calls.ts';
import { getPrompt, mcpPrompts } from './prompts.ts';
import type { ResourceChange, ResourceChanges } from './resource-changes.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import { type OpenSecretPage, opensUrls, withSecretPage } from './secret-page.ts';
import { callServedTool, findServedTool, listServedTools, toServedTools } from './tools.ts';

export interface McpServerContext {
  dialects: readonly Dialect[];
  sessions: Sessions;
  changes: ResourceChanges;
  openCalls: OpenCalls;
  /** Where a person can type a secret that nobody has stored. Absent: nowhere. */
  openSecretPage?: OpenSecretPage;
}

/** With the SDK's own schemas a client's mistake would be reported as an internal error. */
const promptParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).exactOptional(),
});
const resourceParams = z.looseObject({ uri: z.string() });
const clientInfo = z.object({ name: z.string(), version: z.string().exactOptional() });

export const clientProgram = (info: unknown): ClientProgram | undefined =>
  clientInfo.safeParse(info).data as ClientProgram | undefined;

export const createMcpServer = (
  { dialects, sessions, changes, openCalls, openSecretPage }: McpServerContext,
  { era }: Pick<McpRequestContext, 'era'>,
): Server => {
  const tools = toServedTools(dialects);
  const server = new Server(
    { name: 'repartee', title: 'Repartee', version: PACKAGE_VERSION },
    {
      capabilities: {
        tools: {},
        prompts: {},
        resources: { subscribe: true, listChanged: true },
      },
      instructions: serverInstructions(dialects),
    },
  );
  /** The SDK itself would serve a 2025 client that has not sent `initialize`. */
  const requireInitialized = () => {
    if (era === 'legacy' && server.getClientVersion() === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        'This connection is not initialized. Send an initialize request first.',
      );
  };

  /** A 2026 client says it with each request. */
  const clientOf = ({ envelope = {} }: ServerContext['mcpReq']) =>
    clientProgram(Reflect.get(envelope, CLIENT_INFO_META_KEY) ?? server.getClientVersion());

  server.setRequestHandler('tools/list', (_, { mcpReq }) => {
    requireInitialized();
    return { tools: listServedTools(tools, clientOf(mcpReq)) };
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    requireInitialized();
    const found = findServedTool(params.name, tools);
    const canOpenPages = era === 'legacy' && opensUrls(server.getClientCapabilities());
    const read = tools.find(({ tool }) => tool.name === 'terminal_read')?.tool;
    const tool =
      canOpenPages && openSecretPage && read
        ? withSecretPage(found, { openSecretPage, sessions, read, mcpReq })
        : found;
    const make = (asking: Asking) =>
      callServedTool(tool, params.arguments, mcpReq, clientOf(mcpReq), asking);
    const { signal } = mcpReq;
    if (!canElicit(mcpReq, server.getClientCapabilities())) return make({ signal });
    if (era === 'legacy') return make({ signal, askUser: askInCall(mcpReq) });
    return openCalls.make(mcpReq, make);
  });
  server.setRequestHandler('prompts/list', () => {
    requireInitialized();
    return { prompts: mcpPrompts };
  });
  server.setRequestHandler('prompts/get', { params: promptParams }, (params) => {
    requireInitialized();
    return getPrompt(params);
  });

  const subscribed = new Set<string>();
  let unsubscribeList: (() => void) | undefined;
  let unsubscribeResources: (() => void) | undefined;
  server.onclose = () => {
    unsubscribeList?.();
    unsubscribeResources?.();
  };
  server.setRequestHandler('resources/list', async () => {
    requireInitialized();
    // A client that has not read the list need not know that it changed.
    if (era === 'legacy')
      unsubscribeList ??= changes.listenToList((change) => sendResourceChange(server, change));
    return { resources: await listResources(sessions) };
  });
  server.setRequestHandler('resources/templates/list', () => {
    requireInitialized();
    return { resourceTemplates };
  });
  server.setRequestHandler('resources/read', { params: resourceParams }, async (params) => {
    requireInitialized();
    return { contents: [await readResource(params.uri, sessions)] };
  });
  server.setRequestHandler('resources/subscribe', { params: resourceParams }, (params) => {
    requireInitialized();
    subscribed.add(params.uri);
    unsubscribeResources ??= changes.listenToResources((change) => {
      if (change.kind === 'resource' && subscribed.has(change.uri))
        sendResourceChange(server, change);
    });
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', { params: resourceParams }, (params) => {
    requireInitialized();
    subscribed.delete(params.uri);
    return {};
  });
  return server;
};

export const sendResourceChange = (server: Server, change: ResourceChange): void => {
  const sent =
    change.kind === 'list'
      ? server.sendResourceListChanged()
      : server.sendResourceUpdated({ uri: change.uri });
  // The connection can close meanwhile. Then nobody waits for the notification.
  sent.catch(() => {});
};
