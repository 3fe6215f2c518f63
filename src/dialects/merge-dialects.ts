/**
 * Several dialects in one server. Two of them have a `write_stdin`: a number names a session of
 * codex, a string one of unified. No other names collide.
 */
import type { CodexDialect } from './codex/dialect.ts';
import type { Dialect, Tool } from './tool.ts';

const SHARED = 'write_stdin';

/** The same dialects, with one tool where two have the same name. */
export const mergeDialects = (dialects: readonly Dialect[]): readonly Dialect[] => {
  const codex = dialects.find((dialect): dialect is CodexDialect => dialect.name === 'codex');
  const unified = dialects.find(({ name }) => name === 'unified');
  if (codex === undefined || unified === undefined) return dialects;
  const tool = routed(codex, unified);
  const [first] = dialects.filter((dialect) => dialect === codex || dialect === unified);
  const other = first === codex ? unified : codex;
  const tools = (dialect: Dialect) => {
    if (dialect === first) return dialect.tools.map((own) => (own.name === SHARED ? tool : own));
    return dialect === other ? dialect.tools.filter(({ name }) => name !== SHARED) : dialect.tools;
  };
  return dialects.map((dialect) => ({ ...dialect, tools: tools(dialect) }));
};

const routed = (codex: CodexDialect, unified: Dialect): Tool => {
  const ofCodex = toolOf(codex);
  const ofUnified = toolOf(unified);
  const properties = (tool: Tool) => tool.input.properties as Record<string, object>;
  return {
    // Its answers have two shapes, so no schema is promised for them.
    ...ofUnified,
    description: `With a number as session_id, from exec_command:\n${ofCodex.description}\n\nWith a string as session_id, from unified_exec:\n${ofUnified.description}`,
    input: {
      type: 'object',
      properties: {
        ...properties(ofCodex),
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
          return ofCodex.run({ ...(args as object), session_id: number }, call);
        return ofUnified.run(args, call);
      }
      return ofCodex.run(args, call);
    },
  };
};

const toolOf = ({ tools }: Dialect): Tool => tools.find(({ name }) => name === SHARED)!;
