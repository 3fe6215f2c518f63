/** The client is killed in the middle of a call, and resumed: its session is there, with all it has said. */
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from '../agent.js';
import { assertShown } from '../outcome.js';
import { processes, untilTrue } from '../processes.js';

export const killed = async (workplace) => {
  const before = await workplace.start();
  const agent = new Agent(before.model, workplace.kind);
  await agent.call('terminal_open', { command: 'python3 -q' });
  const text = 'import time; time.sleep(6); print("said", "late")';
  await agent.call('terminal_send', { session: 'python3', text, until: 'now' });
  const waiting = agent.call('terminal_wait', { sessions: ['python3'], timeout_ms: 40_000 });
  waiting.catch(() => {});
  await untilTrue(() => servers().length > 0, 'the server runs');
  // What the server has been asked cannot be seen from outside, and takes it milliseconds.
  await delay(1500);
  for (const { pid } of workplace.clientProcesses()) process.kill(pid, 'SIGKILL');
  await before.ended;
  await untilTrue(() => servers().length === 0, 'the server of a killed client ends');

  const after = await workplace.start('resumed');
  const resumed = new Agent(after.model, workplace.kind);
  const listed = await listOnceStarted(resumed);
  assertShown(listed, /\bpython3\b/, 'list');
  const waited = await resumed.call('terminal_wait', { sessions: ['python3'], match: 'late' });
  assertShown(waited, /said late/, 'what it said while there was no client');
  await resumed.say('Done.');
  const code = await after.ended;
  if (code !== 0) throw new Error(`The resumed client ended with ${code}`);
};

/** A resumed client has the tools of before, and may ask its model before our server has started again. */
const listOnceStarted = async (agent) => {
  for (let tries = 1; ; tries++) {
    const listed = await agent.call('terminal_list', { all: true });
    if (tries === MAX_TRIES || !/unsupported call/.test(listed)) return listed;
    await delay(1000);
  }
};

const MAX_TRIES = 15;

const servers = () =>
  processes().filter(({ command }) => /(main\.js|bin\/repartee) mcp/.test(command));
