/**
 * A dialect is a set of tools, under the names that some agent already knows, over the same engine.
 *
 * A tool is data: MCP serves it, the docs list it, an agent's own loop calls `run`.
 */
import type { CallOptions } from '../session/sessions.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Tool {
  name: string;
  description: string;
  /**
   * What is advertised. Arguments are checked by `run` alone, so that what is wrong with them is
   * said in the dialect's own words.
   */
  input: JsonSchema;
  /** Of `structured` in the answer. */
  output?: JsonSchema;
  hints: ToolHints;
  run(args: unknown, call: CallOptions): Promise<ToolResult>;
}

/** As MCP's tool annotations. */
export interface ToolHints {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  openWorld: boolean;
}

export interface ToolResult {
  text: string;
  structured?: Readonly<Record<string, unknown>>;
  failed?: boolean;
}

export interface Dialect {
  name: string;
  tools: readonly Tool[];
  /** Ends what the dialect itself keeps running; not the sessions it was given. */
  close(): Promise<void>;
}
