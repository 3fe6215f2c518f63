/** A screen as an image, beside its text: whether the model of this client gets to see it. */
import { Agent } from '../agent.js';
import { assertShown, ClientCannot, sessionIn } from '../outcome.js';

export const image = async (workplace) => {
  const { model, ended } = await workplace.start();
  const agent = new Agent(model, workplace.kind);
  const command = 'printf "\\033[31msome red text"; cat';
  const session = sessionIn(await agent.call('terminal_open', { command, name: 'red' })) ?? 'red';
  const shown = await agent.call('terminal_read', { session, view: 'image' });
  const { hasImage } = await model.asked();
  await agent.say('Done.');
  await ended;
  assertShown(shown, /some red text/, 'the text beside the image');
  if (!hasImage) throw new ClientCannot('shows its model the text of the screen, not the image');
};
