/** A client that shows tools only after a search finds ours by the words that a model would use. */
import { Agent } from '../agent.js';
import { assertShown, ClientCannot } from '../outcome.js';

const queries = [
  'pty',
  'interactive shell session',
  'password prompt',
  'press ctrl-c',
  'REPL',
  'debugger',
  'ssh',
  'vim',
  'terminal',
  'wait for server',
];

export const searches = async (workplace) => {
  const { model } = await workplace.start();
  const agent = new Agent(model, workplace.kind);
  if (!(await agent.hasSearch())) {
    const { tools } = await model.asked();
    const ours = tools.filter(({ name }) => /terminal_/.test(name)).length;
    if (ours !== 8) throw new Error(`It shows ${ours} of our 8 tools`);
    throw new ClientCannot('no search: shows all 8 at once');
  }
  for (const query of queries) assertShown(await agent.search(query), /terminal_\w+/, query);
};
