/**
 * A dialect is a set of tools over the same engine, under the names that some agent already knows.
 *
 * A tool is data: MCP serves it, the docs list it, an agent's own loop calls `run`.
 */
import type { CallOptions } from '../session/sessions.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Tool {
  name: string;
  /** For people, and for clients that show a tool only after a search. */
  title?: string;
  /** Words by which a model may search for it, beside those of its description. */
  searchHint?: string;
  description: string;
  /**
   * The schema that clients see. Only `run` checks arguments, so that errors are in the dialect's own
   * words.
   */
  input: JsonSchema;
  /** The schema of `structured` in the result. */
  output?: JsonSchema;
  hints: ToolHints;
  run(args: unknown, call: CallOptions): Promise<ToolResult>;
}

/** The same as MCP's tool annotations. */
export interface ToolHints {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  openWorld: boolean;
}

export interface ToolResult {
  text: string;
  structured?: Readonly<Record<string, unknown>>;
  /** A PNG, for models that see. What it shows is in the text as well. */
  image?: Uint8Array;
  failed?: boolean;
  /** Of the error that it tells of, if it was thrown on purpose. */
  code?: string;
}

export interface Dialect {
  name: string;
  tools: readonly Tool[];
  /** Ends the sessions that the dialect opened itself. Sessions passed to it live on. */
  close(): Promise<void>;
}
