import { mergeJson } from '../files.js';

export const qwen = {
  name: 'qwen',
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  bin: 'qwen',
  searchTool: 'tool_search',
  env: (url) => ({
    OPENAI_API_KEY: 'scripted',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'scripted',
  }),
  prepare({ home }) {
    mergeJson(`${home}/.qwen/settings.json`, {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
    });
  },
  unallowed: (prompt) => ['-p', prompt],
  trustIn: '.qwen/settings.json',
  headless: (prompt) => ['-p', prompt, '--yolo'],
  resumed: (prompt) => ['--continue', '-p', prompt, '--yolo'],
  interactive: ['--yolo'],
  inputSign: 'Type your message',
  callTool: 'tool_call',
};
