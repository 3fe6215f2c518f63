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

const names = ['open', 'run', 'send', 'read', 'wait', 'list', 'resize', 'close'].map(
  (name) => `terminal_${name}`,
);
/** As a name, not as a word in another's description. */
const TOOL = new RegExp(`(?<=_|"name\\\\?": ?\\\\?")(?:${names.join('|')})(?=\\\\?")`);

export const searches = async (workplace) => {
  const { model } = await workplace.start();
  const agent = new Agent(model, workplace.kind);
  if (!(await agent.hasSearch())) {
    const { tools } = await model.asked();
    const ours = tools.filter(({ name }) => /terminal_/.test(name)).length;
    if (ours !== 8) throw new Error(`It shows ${ours} of our 8 tools`);
    throw new ClientCannot('no search: shows all 8 at once');
  }
  await agent.call('terminal_list', {});
  const found = new Set();
  for (const query of queries) {
    const shown = await agent.search(query);
    assertShown(shown, TOOL, query);
    for (const [name] of shown.matchAll(new RegExp(TOOL, 'g'))) found.add(name);
  }
  const missing = names.filter((name) => !found.has(name));
  return missing.length === 0 ? undefined : `each finds some; none finds ${missing.join(', ')}`;
};
