/**
 * The scripted models as a service on loopback, in four protocols. Each conversation has a mark in its
 * prompt, by which the model is found that holds it.
 *
 * Requests with no tools, or one (for a title, a summary, a check of the key), are no part of a
 * conversation, and get a word.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chat } from './chat.js';
import { gemini } from './gemini.js';
import { messages } from './messages.js';
import { responses } from './responses.js';
import { writeJson } from './sse.js';

/** How each PNG begins. */
const PNG_AS_BASE64 = 'iVBORw0KGgo';

const protocols = [messages, responses, chat, gemini];

export class ModelServer {
  #server = createServer((request, response) => this.#receive(request, response));
  #models = [];

  /** Returns its address. */
  async listen() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  add(model) {
    this.#models.push(model);
  }

  async #receive(request, response) {
    const path = new URL(request.url, 'http://127.0.0.1').pathname;
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (process.env.MODEL_LOG)
      appendFileSync(process.env.MODEL_LOG, `${request.method} ${request.url} ${text}\n`);
    const protocol = protocols.find(({ matches }) => matches(path));
    if (request.method !== 'POST' || !protocol)
      return writeJson(response, { error: { message: 'not here' } }, 404);
    const body = JSON.parse(text);
    const asked = { ...protocol.read(body), hasImage: text.includes(PNG_AS_BASE64) };
    const model = this.#findModel(asked.key);
    const write = (answer) => protocol.write(response, answer, body, path);
    if (asked.tools.length < 2 || !model) write({ text: 'fine' });
    else model.receive({ asked, write });
  }

  /** A resumed conversation has the marks of both. */
  #findModel(conversation) {
    return this.#models.findLast(({ mark }) => conversation.includes(mark));
  }
}
