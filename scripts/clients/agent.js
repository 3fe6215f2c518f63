/**
 * What a scenario says to a client: it calls tools of Repartee by their own names. Where the client shows
 * tools only after a search, it searches first, as a model would.
 */
import { findTool } from './model/scripted-model.js';

export class Agent {
  constructor(model, { searchTool, callTool }) {
    this.model = model;
    this.searchTool = searchTool;
    this.callTool = callTool;
  }

  async call(name, args) {
    const [text] = await this.callAll([[name, args]]);
    return text;
  }

  async callAll(calls) {
    const found = [];
    for (const [name, args] of calls) found.push(await this.#find(name, args));
    return this.model.callAll(found);
  }

  say(text) {
    return this.model.say(text);
  }

  async hasSearch() {
    return this.searchTool !== undefined && this.#offers(this.searchTool);
  }

  search(query) {
    return this.model.call(this.searchTool, { query });
  }

  async #offers(name) {
    const { tools } = await this.model.asked();
    return findTool(tools, name) !== undefined;
  }

  async #find(name, args) {
    if (!(await this.#offers(name)) && (await this.hasSearch()))
      await this.search(`repartee ${name}`);
    if ((await this.#offers(name)) || !this.callTool) return [name, args];
    return [this.callTool, { name: `mcp__repartee__${name}`, arguments: args }];
  }
}
