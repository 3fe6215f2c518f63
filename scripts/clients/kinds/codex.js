import { appendFileSync } from 'node:fs';

export const codex = {
  name: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  bin: 'codex',
  searchTool: 'tool_search',
  env: () => ({ SCRIPTED_MODEL_KEY: 'scripted' }),
  /** The keys before the first table come first in TOML. */
  prepare({ home, cwd, url, edit }) {
    const file = `${home}/.codex/config.toml`;
    edit(
      file,
      (text) => `model = "gpt-5"
model_provider = "scripted"
check_for_update_on_startup = false
${text.replace('[mcp_servers.repartee]', '[mcp_servers.repartee]\ndefault_tools_approval_mode = "approve"')}`,
    );
    appendFileSync(
      file,
      `
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_MODEL_KEY"
wire_api = "responses"

[projects."${cwd}"]
trust_level = "trusted"

[analytics]
enabled = false
`,
    );
  },
  headless: (prompt) => ['exec', '--skip-git-repo-check', prompt],
  resumed: (prompt) => ['exec', '--skip-git-repo-check', 'resume', '--last', prompt],
  interactive: [],
};
