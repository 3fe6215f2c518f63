/**
 * The keys with which clients reach their models. A server inherits them from its client, and the programs
 * of its sessions have no use for them: an agent could print them into its conversation.
 */
const CLIENT_KEYS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'OPENAI_API_KEY',
  'CODEX_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'DASHSCOPE_API_KEY',
  'OPENROUTER_API_KEY',
  'MISTRAL_API_KEY',
  'DEEPSEEK_API_KEY',
  'GROQ_API_KEY',
  'XAI_API_KEY',
  'AZURE_OPENAI_API_KEY',
];

export const removeClientKeys = (env: Record<string, string | undefined>): void => {
  for (const name of CLIENT_KEYS) delete env[name];
};
