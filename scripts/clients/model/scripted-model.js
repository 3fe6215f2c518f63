/**
 * A model whose part is played by a script: it answers one client over HTTP on loopback, in whichever of
 * the four protocols it is asked.
 *
 * The script calls tools as if it called functions. Requests without tools (for a title, a summary, a
 * check of the key) are no part of the conversation, and get a word.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chat } from './chat.js';
import { gemini } from './gemini.js';
import { messages } from './messages.js';
import { responses } from './responses.js';
import { writeJson } from './sse.js';

const protocols = [messages, responses, chat, gemini];

export class ScriptedModel {
  #server = createServer((request, response) => this.#receive(request, response));
  /** Requests that the script has not taken yet, and its wish for one. */
  #arrived = [];
  #taker;
  /** What the script answers next goes to this one. */
  #current;
  /** By what was asked: a client that asks again gets the same answer. */
  #answers = new Map();
  #calls = 0;
  #failure;

  async listen() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** What the script waits for will not come. */
  fail(error) {
    this.#failure = error;
    this.#taker?.reject(error);
  }

  /** Waits until the client asks. Returns what it asks with: `tools` and `results`. */
  async asked() {
    this.#current ??= await this.#nextRequest();
    return this.#current.asked;
  }

  /** Calls tools at once, and returns the text of their results in the same order. */
  async callAll(calls) {
    const { tools } = await this.asked();
    const made = calls.map(([name, args]) => {
      const tool = findTool(tools, name);
      if (!tool) throw new Error(`The client offers no ${name}: ${tools.map((each) => each.name)}`);
      return { id: `call_${++this.#calls}`, name: tool.name, args, tool };
    });
    this.#answer({ calls: made });
    const { results } = await this.asked();
    return made.map(({ id }) => results.find((result) => result.id === id)?.text);
  }

  async call(name, args) {
    const [text] = await this.callAll([[name, args]]);
    return text;
  }

  /** Ends the turn. */
  async say(text) {
    await this.asked();
    this.#answer({ text });
  }

  /** Leaves the client without an answer. */
  async ignore() {
    await this.asked();
    this.#current = undefined;
  }

  #answer(answer) {
    const { asked, write } = this.#current;
    this.#current = undefined;
    this.#answers.set(asked.key, answer);
    write(answer);
  }

  #nextRequest() {
    const request = this.#arrived.shift();
    if (request) return request;
    if (this.#failure) throw this.#failure;
    return new Promise((resolve, reject) => {
      this.#taker = { resolve, reject };
    });
  }

  async #receive(request, response) {
    const path = new URL(request.url, 'http://127.0.0.1').pathname;
    const protocol = protocols.find(({ matches }) => matches(path));
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (process.env.MODEL_LOG)
      appendFileSync(process.env.MODEL_LOG, `${request.method} ${request.url} ${text}\n`);
    if (request.method !== 'POST' || !protocol)
      return writeJson(response, { error: { message: 'not here' } }, 404);
    const body = JSON.parse(text);
    const asked = protocol.read(body);
    const write = (answer) => protocol.write(response, answer, body, path);
    const earlier = this.#answers.get(asked.key);
    if (earlier) write(earlier);
    else if (asked.tools.length === 0) write({ text: 'fine' });
    else this.#arrive({ asked, write });
  }

  #arrive(request) {
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker) taker.resolve(request);
    else this.#arrived.push(request);
  }
}

/** Clients put the server's name before a tool's. */
export const findTool = (tools, name) =>
  tools.find((tool) => tool.name === name || tool.name.endsWith(`_${name}`));
