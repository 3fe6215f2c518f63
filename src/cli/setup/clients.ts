/** The clients that `repartee setup` knows: the file in which each keeps its MCP servers, and its shape. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { userConfigFolder } from '../../system/files/user-folders.ts';

export interface ServerCommand {
  command: string;
  args: readonly string[];
}

export interface McpClient {
  name: string;
  title: string;
  /** Of the user, for all projects. */
  file: string;
  format: 'json' | 'toml';
  /** Where the servers are in the file. */
  section: string;
  entry(server: ServerCommand): object;
  /** What else it needs before it starts the server. */
  note?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const plain = ({ command, args }: ServerCommand) => ({ command, args });
const stdio = (server: ServerCommand) => ({ type: 'stdio', ...plain(server) });

export const mcpClients = (env: Env = process.env): McpClient[] => {
  const home = env.HOME || homedir();
  const config = userConfigFolder(env);
  const json = { format: 'json', section: 'mcpServers', entry: plain } as const;
  return [
    {
      ...json,
      name: 'claude-code',
      title: 'Claude Code',
      file: env.CLAUDE_CONFIG_DIR
        ? join(env.CLAUDE_CONFIG_DIR, '.claude.json')
        : join(home, '.claude.json'),
      entry: stdio,
    },
    {
      name: 'codex',
      title: 'Codex',
      file: join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'),
      format: 'toml',
      section: 'mcp_servers',
      entry: plain,
    },
    {
      ...json,
      name: 'gemini',
      title: 'Gemini CLI',
      file: join(home, '.gemini/settings.json'),
      note: 'Gemini CLI starts no server in a folder that it does not trust ("Disabled" in `gemini mcp list`): start `gemini` there and trust it, or set GEMINI_CLI_TRUST_WORKSPACE=true',
    },
    {
      name: 'opencode',
      title: 'opencode',
      file: join(config, 'opencode/opencode.json'),
      format: 'json',
      section: 'mcp',
      entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    },
    { ...json, name: 'qwen', title: 'Qwen Code', file: join(home, '.qwen/settings.json') },
    { ...json, name: 'cursor', title: 'Cursor', file: join(home, '.cursor/mcp.json') },
    {
      name: 'vscode',
      title: 'VS Code',
      file: join(config, 'Code/User/mcp.json'),
      format: 'json',
      section: 'servers',
      entry: stdio,
    },
    {
      ...json,
      name: 'claude-desktop',
      title: 'Claude Desktop',
      file: join(config, 'Claude/claude_desktop_config.json'),
    },
  ];
};
