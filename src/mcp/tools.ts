/** Serves the dialects' tools over MCP: lists them, calls them, reports progress. */
import {
  type Tool as AdvertisedTool,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { toolResultOfError } from '../dialects/shared/error-result.ts';
import type { Dialect, Tool, ToolResult } from '../dialects/tool.ts';
import { TerminalError } from '../errors.ts';
import { nearestWord } from '../nearest-word.ts';
import { type ClientProgram, ownCaller } from '../session/caller.ts';
import type { Asking } from '../session/input/approval.ts';
import type { CallOptions, CallProgress } from '../session/sessions.ts';
import { logToStderr } from './log-to-stderr.ts';

export interface ServedTool {
  tool: Tool;
  advertised: AdvertisedTool;
}

/** If two dialects have a tool of the same name, the first one is served. */
export const toServedTools = (dialects: readonly Dialect[]): readonly ServedTool[] => {
  const byName = new Map<string, ServedTool>();
  for (const tool of dialects.flatMap(({ tools }) => tools))
    if (!byName.has(tool.name)) byName.set(tool.name, { tool, advertised: advertise(tool) });
  return [...byName.values()];
};

export const findServedTool = (name: string, served: readonly ServedTool[]): Tool => {
  const found = served.find(({ tool }) => tool.name === name);
  if (found) return found.tool;
  const names = served.map(({ tool }) => tool.name);
  const suggestion = nearestWord(name.slice(0, 100), names);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${JSON.stringify(name.slice(0, 100))}.${suggestion ? ` Did you mean "${suggestion}"?` : ''} ` +
      `There are: ${names.join(', ')}.`,
  );
};

export const callServedTool = async (
  tool: Tool,
  args: unknown,
  { _meta, notify }: ServerContext['mcpReq'],
  client: ClientProgram | undefined,
  asking: Asking,
): Promise<CallToolResult> => {
  const token = _meta?.progressToken;
  let lastProgress = 0;
  const onProgress = (progress: CallProgress) => {
    // A wait for several sessions reports all of them at the same moment, but the number must grow.
    lastProgress = Math.max(seconds(progress), lastProgress + 0.001);
    const params = {
      progressToken: token,
      progress: lastProgress,
      message: progressText(progress),
    };
    // A failure does not matter here: a client that has disconnected is noticed elsewhere.
    notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const caller = ownCaller('mcp', client);
  const call: CallOptions = { ...asking, caller, ...(token !== undefined && { onProgress }) };
  const result = toCallToolResult(await runTool(tool, args, call));
  return showsBothResults(client) ? withoutStructured(result) : result;
};

/**
 * Most clients show their model either the text or the structured result, and each of them is complete.
 * These show both, so they get the text alone, and no schema for what they do not get.
 */
const SHOW_BOTH = /^qwen-cli-mcp-client/;

const showsBothResults = (client: ClientProgram | undefined): boolean =>
  client !== undefined && SHOW_BOTH.test(client.name);

const withoutStructured = ({ structuredContent: _, ...rest }: CallToolResult): CallToolResult =>
  rest;

export const listServedTools = (
  served: readonly ServedTool[],
  client: ClientProgram | undefined,
): AdvertisedTool[] =>
  served.map(({ advertised }) => {
    const { outputSchema: _, ...textOnly } = advertised;
    return showsBothResults(client) ? textOnly : advertised;
  });

const runTool = async (tool: Tool, args: unknown, call: CallOptions): Promise<ToolResult> => {
  try {
    return await tool.run(args, call);
  } catch (error) {
    if (error instanceof TerminalError) return toolResultOfError(error);
    // A cancelled request gets no answer, so this result is never sent.
    if (call.signal?.aborted) return { text: 'Cancelled.', failed: true };
    logToStderr(`${tool.name} failed:`, error);
    return {
      text: `${tool.name} failed inside Repartee; its log on stderr says more. The sessions go on: terminal_list shows them.`,
      failed: true,
    };
  }
};

const toCallToolResult = ({ text, structured, image, failed }: ToolResult): CallToolResult => ({
  content: [{ type: 'text', text }, ...(image ? [imageContent(image)] : [])],
  ...(structured && { structuredContent: structured }),
  ...(failed && { isError: true }),
});

const imageContent = (png: Uint8Array) => ({
  type: 'image' as const,
  data: Buffer.from(png).toString('base64'),
  mimeType: 'image/png',
});

/** In seconds, because clients show the number to people. */
const seconds = ({ elapsedMs }: CallProgress): number => Math.round(elapsedMs) / 1000;

const progressText = ({ session, elapsedMs, state, lastLine }: CallProgress): string =>
  `${session}: ${state} for ${Math.round(elapsedMs / 1000)} s${lastLine ? `: ${lastLine}` : ''}`;

const advertise = ({
  name,
  title,
  searchHint,
  description,
  input,
  output,
  hints,
}: Tool): AdvertisedTool => ({
  name,
  ...(title !== undefined && { title }),
  description,
  inputSchema: input as AdvertisedTool['inputSchema'],
  ...(output && { outputSchema: output as NonNullable<AdvertisedTool['outputSchema']> }),
  annotations: {
    readOnlyHint: hints.readOnly,
    destructiveHint: hints.destructive,
    idempotentHint: hints.idempotent,
    openWorldHint: hints.openWorld,
  },
  // Claude Code searches it; others ignore what they do not know.
  ...(searchHint !== undefined && { _meta: { 'anthropic/searchHint': searchHint } }),
});
