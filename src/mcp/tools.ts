/** The tools of the dialects as MCP serves them. */
import {
  type Tool as AdvertisedTool,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { errorResult } from '../dialects/shared/error-result.ts';
import type { Dialect, Tool, ToolResult } from '../dialects/tool.ts';
import { TerminalError } from '../errors.ts';
import { nearest } from '../keys/nearest.ts';
import type { CallOptions, CallProgress } from '../session/sessions.ts';
import { log } from './log.ts';

export interface ServedTool {
  tool: Tool;
  advertised: AdvertisedTool;
}

/** A name that two dialects have is the tool of the first. */
export const toolsOf = (dialects: readonly Dialect[]): readonly ServedTool[] => {
  const byName = new Map<string, ServedTool>();
  for (const tool of dialects.flatMap(({ tools }) => tools))
    if (!byName.has(tool.name)) byName.set(tool.name, { tool, advertised: advertise(tool) });
  return [...byName.values()];
};

export const toolNamed = (name: string, served: readonly ServedTool[]): Tool => {
  const found = served.find(({ tool }) => tool.name === name);
  if (found) return found.tool;
  const names = served.map(({ tool }) => tool.name);
  const meant = nearest(name.slice(0, 100), names);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${JSON.stringify(name.slice(0, 100))}.${meant ? ` Did you mean "${meant}"?` : ''} ` +
      `There are: ${names.join(', ')}.`,
  );
};

export const callTool = async (
  tool: Tool,
  args: unknown,
  { signal, _meta, notify }: ServerContext['mcpReq'],
): Promise<CallToolResult> => {
  const token = _meta?.progressToken;
  let last = 0;
  const onProgress = (progress: CallProgress) => {
    // A wait for several sessions reports each of them in the same moment, and the number must grow.
    last = Math.max(seconds(progress), last + 0.001);
    const params = { progressToken: token, progress: last, message: messageOf(progress) };
    // Progress is a courtesy: a client that has gone is noticed elsewhere.
    notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const call: CallOptions = { signal, ...(token !== undefined && { onProgress }) };
  return onWire(await answerOf(tool, args, call));
};

const answerOf = async (tool: Tool, args: unknown, call: CallOptions): Promise<ToolResult> => {
  try {
    return await tool.run(args, call);
  } catch (error) {
    if (error instanceof TerminalError) return errorResult(error);
    // A cancelled request is not answered; what is returned here goes nowhere.
    if (call.signal?.aborted) return { text: 'Cancelled.', failed: true };
    log(`${tool.name} failed:`, error);
    return {
      text: `${tool.name} failed inside Repartee; its log on stderr says more. The sessions go on: terminal_list shows them.`,
      failed: true,
    };
  }
};

const onWire = ({ text, structured, failed }: ToolResult): CallToolResult => ({
  content: [{ type: 'text', text }],
  ...(structured && { structuredContent: structured }),
  ...(failed && { isError: true }),
});

/** Clients show the number to people. */
const seconds = ({ elapsedMs }: CallProgress): number => Math.round(elapsedMs) / 1000;

const messageOf = ({ session, elapsedMs, state, lastLine }: CallProgress): string =>
  `${session}: ${state} for ${Math.round(elapsedMs / 1000)} s${lastLine ? `: ${lastLine}` : ''}`;

const advertise = ({ name, description, input, output, hints }: Tool): AdvertisedTool => ({
  name,
  description,
  inputSchema: input as AdvertisedTool['inputSchema'],
  ...(output && { outputSchema: output as NonNullable<AdvertisedTool['outputSchema']> }),
  annotations: {
    readOnlyHint: hints.readOnly,
    destructiveHint: hints.destructive,
    idempotentHint: hints.idempotent,
    openWorldHint: hints.openWorld,
  },
});
