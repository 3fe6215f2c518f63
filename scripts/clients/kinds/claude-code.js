import { mergeJson } from '../files.js';

const KEY = 'sk-ant-scripted-model-key-0000000000000000';

export const claudeCode = {
  name: 'claude-code',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  bin: 'claude',
  searchTool: 'ToolSearch',
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    // At other addresses than its maker's it searches only where it is told to.
    ENABLE_TOOL_SEARCH: 'true',
  }),
  prepare({ home, cwd }) {
    mergeJson(`${home}/.claude.json`, {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [cwd]: { hasTrustDialogAccepted: true } },
    });
  },
  unallowed: (prompt) => ['-p', prompt],
  headless: (prompt) => ['-p', prompt, '--allowedTools', 'mcp__repartee'],
  resumed: (prompt) => ['--continue', '-p', prompt, '--allowedTools', 'mcp__repartee'],
  interactive: ['--allowedTools', 'mcp__repartee'],
  inputSign: '\\? for shortcuts|❯',
};
