/** Gemini generateContent, which Gemini CLI speaks. */
import { startStream, textOf, writeEvent, writeJson } from './sse.js';

export const gemini = {
  matches: (path) => /:(stream)?[gG]enerateContent$/.test(path),

  read: ({ contents = [], tools = [] }) => ({
    key: JSON.stringify(contents),
    tools: tools
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name }) => ({ name })),
    results: contents
      .flatMap(({ parts = [] }) => parts)
      .filter(({ functionResponse }) => functionResponse)
      .map(({ functionResponse: { id, response } }) => ({ id, text: resultText(response) })),
  }),

  write(response, { text, calls = [] }, _request, path) {
    const parts = calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }));
    if (text !== undefined) parts.unshift({ text });
    const body = {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    };
    if (!path.includes(':stream')) return writeJson(response, body);
    startStream(response);
    writeEvent(response, body);
    response.end();
  },
};

const resultText = ({ output, error, ...rest }) => textOf(output ?? error ?? rest);
