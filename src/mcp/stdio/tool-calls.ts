/**
 * Answers calls of tools in place of the SDK, which checks each of them eleven times against its schemas.
 * In a young process, whose code is not optimized yet, that takes as long as everything else that a call needs.
 *
 * It takes only what all of those checks would let pass. The SDK gets everything else, and says what is wrong.
 */
import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import type { Dialect } from '../../dialects/tool.ts';
import type { ClientProgram } from '../../session/caller.ts';
import { callServedTool, findServedTool, type ServedTool, toServedTools } from '../tools.ts';

type RequestId = string | number;

interface ToolCall {
  id: RequestId;
  params: { name: string; arguments?: object; _meta?: { progressToken?: RequestId } };
}

export interface ToolCallsOptions {
  dialects: readonly Dialect[];
  /** That of a 2025 connection which is initialized, if it asks its user nothing. Undefined: leave its calls to the SDK. */
  client: () => ClientProgram | undefined;
  send: (message: object) => void;
}

export class ToolCalls {
  readonly #tools: readonly ServedTool[];
  readonly #options: ToolCallsOptions;
  readonly #running = new Map<RequestId, AbortController>();

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    this.#tools = toServedTools(options.dialects);
  }

  /** Returns false for a message that is not its own. */
  take(message: unknown): boolean {
    if (isCancellation(message)) return this.#cancel(message.params);
    if (!isToolCall(message)) return false;
    const client = this.#options.client();
    if (client === undefined) return false;
    void this.#answer(message, client);
    return true;
  }

  /** The client has disconnected. */
  end(): void {
    for (const running of this.#running.values()) running.abort();
  }

  #cancel({ requestId, reason }: { requestId: RequestId; reason?: unknown }): boolean {
    const running = this.#running.get(requestId);
    running?.abort(reason);
    return running !== undefined;
  }

  async #answer({ id, params }: ToolCall, client: ClientProgram): Promise<void> {
    const { send } = this.#options;
    const running = new AbortController();
    this.#running.set(id, running);
    const { signal } = running;
    const context = {
      ...(params._meta && { _meta: params._meta }),
      notify: async (notification: object) => send({ jsonrpc: '2.0', ...notification }),
    } as unknown as ServerContext['mcpReq'];
    let answer: object;
    try {
      const tool = findServedTool(params.name, this.#tools);
      answer = {
        result: await callServedTool(tool, params.arguments, context, client, { signal }),
      };
    } catch (error) {
      answer = { error: toJsonRpcError(error) };
    }
    if (this.#running.get(id) === running) this.#running.delete(id);
    // A cancelled request gets no answer.
    if (!signal.aborted) send({ ...answer, jsonrpc: '2.0', id });
  }
}

const toJsonRpcError = (error: unknown): object =>
  error instanceof ProtocolError
    ? { code: error.code, message: error.message }
    : { code: ProtocolErrorCode.InternalError, message: 'Internal error' };

/** As JSON has it. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is RequestId =>
  typeof value === 'string' || Number.isSafeInteger(value);

const hasOnly = (value: object, ...keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key));

const isToolCall = (message: unknown): message is ToolCall => {
  if (!isObject(message) || message.method !== 'tools/call') return false;
  const { id, jsonrpc, params } = message;
  if (jsonrpc !== '2.0' || !isId(id) || !hasOnly(message, 'jsonrpc', 'id', 'method', 'params'))
    return false;
  if (!isObject(params) || !hasOnly(params, 'name', 'arguments', '_meta')) return false;
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  return typeof name === 'string' && isObject(args) && isObject(meta) && isPlainMeta(meta);
};

/** A key of the protocol's own may change what the call means. */
const isPlainMeta = ({ progressToken, ...others }: Record<string, unknown>): boolean =>
  (progressToken === undefined || isId(progressToken)) &&
  !Object.keys(others).some((key) => key.startsWith('io.modelcontextprotocol/'));

const isCancellation = (
  message: unknown,
): message is { params: { requestId: RequestId; reason?: unknown } } =>
  isObject(message) &&
  message.method === 'notifications/cancelled' &&
  isObject(message.params) &&
  isId(message.params.requestId);
