/** A call that takes long: the client waits for it, or gives up and finds all of it by waiting again. */
import { Agent } from '../agent.js';
import { ClientCannot } from '../outcome.js';

export const longCall = (seconds) => async (workplace) => {
  const { model } = await workplace.start();
  const agent = new Agent(model, workplace.kind);
  const command = `sleep ${seconds}; echo job-is-done`;
  await agent.call('terminal_open', { command, name: 'job', timeout_ms: 100 });
  const wait = { sessions: ['job'], until: 'exit', timeout_ms: (seconds + 60) * 1000 };
  const startedMs = performance.now();
  const given = await agent.call('terminal_wait', wait);
  if (/job-is-done/.test(given)) return;
  const waited = Math.round((performance.now() - startedMs) / 1000);
  const said = String(given).replaceAll(/\s+/g, ' ').slice(0, 120);
  // One that gives up after a minute needs five more.
  for (let again = 0; again < 8; again++)
    if (/job-is-done/.test(await agent.call('terminal_wait', wait)))
      throw new ClientCannot(`gives up after ${waited} s ("${said}"); waiting again gets it all`);
  throw new Error(`After ${waited} s: ${said}. Waiting again did not get it`);
};
