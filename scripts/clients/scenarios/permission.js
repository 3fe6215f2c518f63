/** Without a person, a client refuses our tools until it is told to allow them, as the manual says. */
import { join } from 'node:path';
import { Agent } from '../agent.js';
import { mergeJson } from '../files.js';
import { assertShown } from '../outcome.js';

const command = { command: 'echo it-$((40 + 2))-ran' };
const RAN = /it-42-ran/;

export const permission = async (workplace) => {
  const { kind, home } = workplace;
  if (!kind.unallowed) {
    assertShown(await runWith(workplace, 'headless'), RAN, 'without permission');
    return 'it needs none';
  }
  kind.withdrawAllowance?.(home);
  const refused = await runWith(workplace, 'unallowed');
  if (RAN.test(refused)) throw new Error('It ran without permission, unlike the manual says');
  if (!kind.trustIn) return `refuses: ${refused}`;
  mergeJson(join(home, kind.trustIn), { mcpServers: { repartee: { trust: true } } });
  assertShown(await runWith(workplace, 'unallowed'), RAN, 'with "trust": true');
  return `refuses: ${refused}`;
};

const runWith = async (workplace, how) => {
  const { model, ended } = await workplace.start(how);
  const agent = new Agent(model, workplace.kind);
  const text = await agent.call('terminal_run', command).catch((error) => error.message);
  await agent.say('Done.');
  await ended;
  return text.replaceAll(/\s+/g, ' ').slice(0, 100);
};
