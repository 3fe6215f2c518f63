import type { CliCommand } from '../command.ts';

export const mcpCommand: CliCommand = {
  name: 'mcp',
  summary: 'serve the terminal tools to an MCP client',
  usage: '[--dialect D]… [--embedded] [--http [HOST:]PORT [--token-file FILE]] [--strict-waits]',
  options: {
    '--dialect D': 'the tools of another tool set, as well as or instead of native',
    '--embedded': 'keep the sessions in this process; they end when the client goes',
    '--http [HOST:]PORT': 'serve streamable HTTP at /mcp, on 127.0.0.1 unless HOST says otherwise',
    '--token-file FILE': 'the token that HTTP clients must give; otherwise one is made and printed',
    '--strict-waits': 'let the waits of other dialects last as long as in the original',
  },
  examples: [
    ['claude mcp add repartee -- npx -y repartee mcp', 'adds it to Claude Code'],
    ['repartee mcp --http 8765', 'serves http://127.0.0.1:8765/mcp'],
  ],
  async run(args) {
    // Loaded only now: the server takes a quarter of a second to load, and `--help` loads all commands.
    const { serveMcp } = await import('../mcp/serve-mcp.ts');
    return serveMcp(args);
  },
};
