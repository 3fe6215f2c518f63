/** A person presses Esc while a tool waits, and goes on: the program runs on, and nothing is lost. */
import { setTimeout as delay } from 'node:timers/promises';
import { LocalSessions } from '../../../dist/index.js';
import { Agent } from '../agent.js';
import { assertShown } from '../outcome.js';

/** The client's own name in our terminal. */
const CLIENT = 'client';

export const pressedEsc = async (workplace) => {
  const { model, prompt, ...program } = workplace.inTerminal();
  const sessions = new LocalSessions();
  await sessions.open({ ...program, name: CLIENT, cols: 120, rows: 40, timeoutMs: 20_000 });
  const showing = async (doing) => {
    try {
      return await within(60_000, doing);
    } catch (error) {
      const { output } = await sessions.read(CLIENT, { view: 'screen' });
      throw new Error(`${error.message}; the client shows: ${output}`);
    }
  };
  await showing(pressEscape(sessions, workplace.kind, model, prompt));
};

const pressEscape = async (sessions, kind, model, prompt) => {
  const { inputSign, interrupt = 'Escape' } = kind;
  const agent = new Agent(model, kind);
  await sessions.wait([CLIENT], { match: inputSign, timeoutMs: 30_000 });
  await delay(SETTLE_MS);
  await sessions.send(CLIENT, { text: prompt, until: 'now' });
  const command = 'sleep 8; echo job-says-this; sleep 600';
  await agent.call('terminal_open', { command, name: 'job', timeout_ms: 100 });
  const waiting = agent.call('terminal_wait', {
    sessions: ['job'],
    until: 'exit',
    timeout_ms: 300_000,
  });
  waiting.catch(() => {});
  await delay(SETTLE_MS);
  await sessions.send(CLIENT, { keys: interrupt, until: 'now' });
  await delay(SETTLE_MS);
  await sessions.send(CLIENT, { text: 'Go on.', until: 'now' });
  // What the client tells its model of the call differs; that the model is asked again is enough.
  await waiting;
  const again = { sessions: ['job'], match: 'job-says-this', timeout_ms: 20_000 };
  assertShown(await agent.call('terminal_wait', again), /job-says-this/, 'after Esc');
  await agent.say('Done.');
};

/** A client draws its message box before it reads keys, and again after a call has ended. */
const SETTLE_MS = 2000;

const within = (ms, promise) => {
  const late = delay(ms, undefined, { ref: false }).then(() => {
    throw new Error(`Nothing came within ${ms / 1000} s`);
  });
  return Promise.race([promise, late]);
};
