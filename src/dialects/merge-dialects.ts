/**
 * Serves several dialects in one server. Both codex and unified have a `write_stdin`. It is routed by
 * the type of `session_id`: a number goes to codex, a string to unified. No other names collide.
 */
import type { CodexDialect } from './codex/dialect.ts';
import type { Dialect, Tool } from './tool.ts';

const SHARED_TOOL = 'write_stdin';

/** Returns the same dialects, with one `write_stdin` in place of two. */
export const mergeDialects = (dialects: readonly Dialect[]): readonly Dialect[] => {
  const codex = dialects.find((dialect): dialect is CodexDialect => dialect.name === 'codex');
  const unified = dialects.find(({ name }) => name === 'unified');
  if (codex === undefined || unified === undefined) return dialects;
  const merged = routeWriteStdin(codex, unified);
  const [first] = dialects.filter((dialect) => dialect === codex || dialect === unified);
  const other = first === codex ? unified : codex;
  const tools = (dialect: Dialect) => {
    if (dialect === first)
      return dialect.tools.map((tool) => (tool.name === SHARED_TOOL ? merged : tool));
    if (dialect === other) return dialect.tools.filter(({ name }) => name !== SHARED_TOOL);
    return dialect.tools;
  };
  return dialects.map((dialect) => ({ ...dialect, tools: tools(dialect) }));
};

const routeWriteStdin = (codex: CodexDialect, unified: Dialect): Tool => {
  const codexTool = sharedToolOf(codex);
  const unifiedTool = sharedToolOf(unified);
  const properties = (tool: Tool) => tool.input.properties as Record<string, object>;
  return {
    // Its results have two shapes, so there is no output schema.
    ...unifiedTool,
    description: `With a number as session_id, from exec_command:\n${codexTool.description}\n\nWith a string as session_id, from unified_exec:\n${unifiedTool.description}`,
    input: {
      type: 'object',
      properties: {
        ...properties(codexTool),
        session_id: {
          type: ['number', 'string'],
          description: 'A number from exec_command, or a string from unified_exec.',
        },
      },
      required: ['session_id'],
    },
    run: (args, call) => {
      const id = (args as { session_id?: unknown } | null | undefined)?.session_id;
      if (typeof id === 'string') {
        const number = /^\d+$/.test(id) ? Number(id) : undefined;
        if (number !== undefined && codex.knows(number))
          return codexTool.run({ ...(args as object), session_id: number }, call);
        return unifiedTool.run(args, call);
      }
      return codexTool.run(args, call);
    },
  };
};

const sharedToolOf = ({ tools }: Dialect): Tool => tools.find(({ name }) => name === SHARED_TOOL)!;
