/** A model whose part is played by a script, which calls tools as if it called functions. */
export class ScriptedModel {
  /** Requests that the script has not taken yet, and its wish for one. */
  #arrived = [];
  #taker;
  /** What the script answers next goes to this one. */
  #current;
  /** By what was asked: a client that asks again gets the same answer. */
  #answers = new Map();
  #failure;

  constructor(mark) {
    this.mark = mark;
  }

  receive(request) {
    const earlier = this.#answers.get(request.asked.key);
    if (earlier) return request.write(earlier);
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker) taker.resolve(request);
    else this.#arrived.push(request);
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
      return { id: nextId(), name: tool.name, args, tool };
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
}

/** Unlike those of the conversation that is resumed. */
let calls = 0;
const nextId = () => `call_${++calls}`;

/** Clients put the server's name before a tool's. */
export const findTool = (tools, name) =>
  tools.find((tool) => tool.name === name || tool.name.endsWith(`_${name}`));
