/**
 * What a scenario says to a client: it calls tools of Repartee by their own names. Where the client shows
 * tools only after a search, it searches first, as a model would.
 */
import { findTool } from './model/scripted-model.js';

export class Agent {
  constructor(model, { searchTool }) {
    this.model = model;
    this.searchTool = searchTool;
  }

  async call(name, args) {
    await this.#find(name);
    return this.model.call(name, args);
  }

  async callAll(calls) {
    for (const [name] of calls) await this.#find(name);
    return this.model.callAll(calls);
  }

  say(text) {
    return this.model.say(text);
  }

  async hasSearch() {
    const { tools } = await this.model.asked();
    return this.searchTool !== undefined && findTool(tools, this.searchTool) !== undefined;
  }

  search(query) {
    return this.model.call(this.searchTool, { query });
  }

  async #find(name) {
    const { tools } = await this.model.asked();
    if (!findTool(tools, name) && (await this.hasSearch())) await this.search(`repartee ${name}`);
  }
}
