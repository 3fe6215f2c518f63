/**
 * What a scenario says to a client: it calls tools of Repartee by their own names. Where the client shows
 * tools only after a search, it searches first, as a model would.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { findTool } from './model/scripted-model.js';

/** Some clients ask their model before our server has started, and find nothing then. */
const SEARCHES = 15;

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
    for (let tries = 0; tries < SEARCHES && !(await this.#offers(name)); tries++) {
      if (!(await this.hasSearch())) break;
      if (tries > 0) await delay(1000);
      const found = await this.search(`repartee ${name}`);
      if (this.callTool && found.includes(name)) break;
    }
    if ((await this.#offers(name)) || !this.callTool) return [name, args];
    return [this.callTool, { name: `mcp__repartee__${name}`, arguments: args }];
  }
}
