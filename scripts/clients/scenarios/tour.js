/** A REPL, a secret, a failing command, vim, a wait for two, a server, and the end of them all. */
import { Agent } from '../agent.js';
import {
  assertNotShown,
  assertShown,
  exitedWith,
  listens,
  sessionIn,
  waitsFor,
} from '../outcome.js';

export const tour = async (workplace) => {
  const { model, ended } = await workplace.start();
  const agent = new Agent(model, workplace.kind);
  for (const visit of [repl, secret, failingCommand, vim, waitForTwo, server, end])
    await visit(agent, workplace);
  await agent.say('Done.');
  const code = await ended;
  if (code !== 0) throw new Error(`The client ended with ${code}`);
};

const repl = async (agent) => {
  const opened = await agent.call('terminal_open', { command: 'python3 -q' });
  assertShown(opened, waitsFor('line'), 'python');
  const answer = await agent.call('terminal_send', { session: 'python3', text: 'sum(range(101))' });
  assertShown(answer, /\b5050\b/, 'python');
};

const secret = async (agent, { secret: value }) => {
  const asked = await agent.call('terminal_open', { command: 'sh login.sh', name: 'login' });
  assertShown(asked, waitsFor('secret'), 'secret');
  assertShown(asked, /Stored secrets: login/, 'secret');
  const answer = await agent.call('terminal_send', { session: 'login', secret: 'login' });
  assertShown(answer, /Welcome, ada/, 'secret');
  assertNotShown(answer, new RegExp(value), 'secret');
};

const failingCommand = async (agent) => {
  const failed = await agent.call('terminal_run', { command: 'echo before; (exit 3)' });
  assertShown(failed, /before/, 'failing command');
  assertShown(failed, exitedWith(3), 'failing command');
  const long = await agent.call('terminal_run', { command: 'seq 1 30000; exit 9' });
  assertShown(long, exitedWith(9), 'long output of a failing command');
};

const vim = async (agent) => {
  const opened = await agent.call('terminal_open', { command: 'vim -u NONE -N note.txt' });
  const session = sessionIn(opened) ?? 'vim';
  await agent.call('terminal_send', { session, keys: 'i' });
  const typed = await agent.call('terminal_send', { session, text: 'Hello.', submit: false });
  assertShown(typed, /Hello\./, 'vim');
  await agent.call('terminal_send', { session, keys: 'Escape : w q Enter', until: 'exit' });
  const note = await agent.call('terminal_run', { command: 'cat note.txt' });
  assertShown(note, /Hello\./, 'the file that vim wrote');
};

const waitForTwo = async (agent) => {
  await agent.callAll([
    ['terminal_open', { command: 'sleep 600', name: 'slow', timeout_ms: 100 }],
    ['terminal_open', { command: 'sleep 2; echo quick-is-done', name: 'quick', timeout_ms: 100 }],
  ]);
  const first = await agent.call('terminal_wait', { sessions: ['slow', 'quick'], until: 'exit' });
  assertShown(first, /quick-is-done/, 'wait for two');
};

const server = async (agent) => {
  const command = 'python3 -u -m http.server --bind 127.0.0.1 0';
  await agent.call('terminal_open', { command, name: 'server', timeout_ms: 100 });
  const up = await agent.call('terminal_wait', { sessions: ['server'], until: 'listening' });
  assertShown(up, listens, 'server');
};

const end = async (agent) => {
  const closed = await agent.call('terminal_close', { session: '*' });
  for (const name of ['python3', 'slow', 'server'])
    assertShown(closed, new RegExp(`\\b${name}\\b`), 'close');
  const listed = await agent.call('terminal_list', {});
  assertNotShown(listed, /\bslow\b/, 'list after close');
};
