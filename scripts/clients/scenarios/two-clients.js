/** Two clients of one user at once, who do not take each other's sessions. */
import { Agent } from '../agent.js';
import { assertNotShown, assertShown } from '../outcome.js';

export const twoClients = async (workplace) => {
  const first = new Agent((await workplace.start()).model, workplace.kind);
  const second = new Agent((await workplace.start()).model, workplace.kind);
  await first.call('terminal_open', { command: 'python3 -q' });
  await first.call('terminal_send', { session: 'python3', text: 'owner = "the first"' });
  const opened = await second.call('terminal_open', { command: 'python3 -q', name: 'python3' });
  assertShown(opened, /python3-2/, 'a name that is taken');
  const listed = await second.call('terminal_list', {});
  assertShown(listed, /1 of other clients/, 'list');
  const closed = await second.call('terminal_close', { session: '*' });
  assertShown(closed, /python3-2/, 'close');
  assertNotShown(closed, /python3(?!-2)\b/, 'close');
  const answer = await first.call('terminal_send', { session: 'python3', text: 'print(owner)' });
  assertShown(answer, /the first/, 'the session of the first');
};
