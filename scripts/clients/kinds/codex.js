import { editFile } from '../files.js';

const ALLOWANCE = 'default_tools_approval_mode = "approve"';

export const codex = {
  name: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  bin: 'codex',
  searchTool: 'tool_search',
  env: () => ({ SCRIPTED_MODEL_KEY: 'scripted' }),
  prepare({ home, cwd, url }) {
    editFile(`${home}/.codex/config.toml`, (text) =>
      [
        // It searches with this model; with gpt-5 it shows all tools.
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        'check_for_update_on_startup = false',
        text.trimEnd(),
        ALLOWANCE,
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${url}/v1"`,
        'env_key = "SCRIPTED_MODEL_KEY"',
        'wire_api = "responses"',
        `[projects."${cwd}"]`,
        'trust_level = "trusted"',
        // Otherwise it offers a newer model before it takes a prompt.
        '[notice.model_migrations]',
        '"gpt-5.5" = "gpt-6-sol"',
        '[analytics]',
        'enabled = false',
      ].join('\n'),
    );
  },
  withdrawAllowance(home) {
    editFile(`${home}/.codex/config.toml`, (text) => text.replace(ALLOWANCE, ''));
  },
  unallowed: (prompt) => ['exec', '--skip-git-repo-check', prompt],
  headless: (prompt) => ['exec', '--skip-git-repo-check', prompt],
  resumed: (prompt) => ['exec', '--skip-git-repo-check', 'resume', '--last', prompt],
  interactive: [],
  inputSign: '/model|context left|›',
};
