import { mergeJson } from '../files.js';

export const opencode = {
  name: 'opencode',
  title: 'opencode',
  package: 'opencode-ai',
  bin: 'opencode',
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  prepare({ home, url }) {
    mergeJson(`${home}/.config/opencode/opencode.json`, {
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/model',
      small_model: 'scripted/model',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'scripted' },
          models: { model: { name: 'model', tool_call: true } },
        },
      },
    });
  },
  headless: (prompt) => ['run', prompt],
  resumed: (prompt) => ['run', '--continue', prompt],
  interactive: [],
  inputSign: 'Ask anything',
  interrupt: 'Escape Escape',
};
