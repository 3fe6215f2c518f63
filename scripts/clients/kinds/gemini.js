import { mergeJson } from '../files.js';

export const geminiCli = {
  name: 'gemini',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  bin: 'gemini',
  env: (url) => ({ GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: url }),
  prepare({ home }) {
    mergeJson(`${home}/.gemini/settings.json`, {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      model: { name: 'gemini-2.5-flash' },
    });
  },
  unallowed: (prompt) => ['-p', prompt],
  trustIn: '.gemini/settings.json',
  headless: (prompt) => ['-p', prompt, '--yolo'],
  resumed: (prompt) => ['--resume', 'latest', '-p', prompt, '--yolo'],
  interactive: ['--yolo'],
  inputSign: 'Type your message',
};
