/** tuistory's library behind the six calls of a host, over MCP on stdio. */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { launchTerminal } = await import(pathToFileURL(join(process.argv[2], 'dist/index.js')).href);

const sessions = new Map();

const launch = (command) =>
  launchTerminal({
    command: '/bin/bash',
    args: ['-c', command],
    cols: 120,
    rows: 40,
    // A program may be silent; what to wait for is said in each call.
    waitForData: false,
  });

const escaped = (text) => text.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What the library says after waiting for the text it was told; without one, for silence. */
const seen = async (session, { prompt, screen, exit, limitMs }) => {
  if (exit) {
    const exited = await session.waitForExit(limitMs);
    return { text: session.read(), state: exited ? 'exited' : 'unknown' };
  }
  const told = prompt === undefined ? screen : prompt;
  if (told === undefined) {
    await session.waitIdle({ timeout: limitMs });
    return { text: session.read(), state: session.isDead ? 'exited' : 'unknown' };
  }
  const pattern = new RegExp(prompt === undefined ? escaped(screen) : `${escaped(prompt)}\\s*$`);
  try {
    await session.waitForText(pattern, { timeout: limitMs });
    const text = prompt === undefined ? await session.text({ immediate: true }) : session.read();
    return { text, state: 'waiting' };
  } catch {
    return { text: session.read(), state: session.isDead ? 'exited' : 'unknown' };
  }
};

const keyNames = { '\r': 'enter', '\u001b': 'esc' };

const tools = {
  async run({ command, limitMs }) {
    const session = await launch(command);
    const exited = await session.waitForExit(limitMs);
    const text = session.readAll();
    session.close();
    return { text, state: exited ? 'exited' : 'unknown' };
  },
  async open({ command, ...wait }) {
    const session = await launch(command);
    const id = String(sessions.size + 1);
    sessions.set(id, session);
    return { id, ...(await seen(session, wait)) };
  },
  async say({ id, line, ...wait }) {
    const session = sessions.get(id);
    await session.type(line);
    await session.press('enter');
    return seen(session, wait);
  },
  async press({ id, parts, ...wait }) {
    const session = sessions.get(id);
    for (const part of parts) {
      const key = keyNames[part];
      if (key === undefined) await session.type(part);
      else await session.press(key);
    }
    return seen(session, wait);
  },
  async close({ id }) {
    sessions.get(id).close();
    return { text: '', state: 'exited' };
  },
};

const answer = async (method, params) => {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'tuistory', version: '0' },
    };
  if (method === 'tools/list')
    return {
      tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
    };
  const text = JSON.stringify(await tools[params.name](params.arguments));
  return { content: [{ type: 'text', text }] };
};

const known = ['initialize', 'tools/list', 'tools/call'];

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) return;
    const reply = { jsonrpc: '2.0', id };
    if (!known.includes(method)) reply.error = { code: -32601, message: 'no such method' };
    else
      try {
        reply.result = await answer(method, params);
      } catch (error) {
        reply.error = { code: -32000, message: String(error) };
      }
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  })
  .on('close', () => {
    for (const session of sessions.values()) session.close();
    process.exit(0);
  });
