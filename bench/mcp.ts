/**
 * What an MCP client pays: in time above the library, and in tokens beside the raw output.
 *
 * The client is the SDK's own, the server a process of its own, as every user has it. Library and
 * server take turns in one run, each with a python3 of its own.
 */
import { join } from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { LocalSessions } from '../src/session/local-sessions.ts';
import { type Args, median, numberFlag, quantile, type Report } from './report/report.ts';

const MAIN = join(import.meta.dirname, '../src/cli/main.js');
/** As everywhere in Repartee. */
const BYTES_PER_TOKEN = 4;

const env = {
  PATH: '/usr/bin:/bin',
  HOME: '/nonexistent',
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
};

type Call = (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;

const connect = async () => {
  const client = new Client({ name: 'bench', version: '1' });
  const args = [MAIN, 'mcp', '--embedded'];
  const transport = new StdioClientTransport({ command: process.execPath, args, env });
  await client.connect(transport);
  const call: Call = async (name, args = {}) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;
  return { client, call };
};

export const run = async (args: Args): Promise<Report> => {
  const exchange = await measureExchange(numberFlag(args, 'exchanges', 500));
  const start = await measureStart(numberFlag(args, 'starts', 5));
  const schema = await measureSchema();
  const task = await measureTask();
  const above = median(exchange.mcp) - median(exchange.library);
  const row = (what: string, unit: string, samples: readonly number[]) => ({
    what,
    unit,
    median: median(samples),
    p95: quantile(samples, 0.95),
    samples: samples.length,
  });
  return {
    question: 'What does an MCP client pay, in time and in tokens?',
    rows: [
      row('exchange with python3, library', 'ms', exchange.library),
      row('exchange with python3, MCP over stdio', 'ms', exchange.mcp),
      row('server start to first tool result', 'ms', start),
      row('names, descriptions, input schemas of 8 tools', 'bytes', [schema.input]),
      row('the whole answer to tools/list', 'bytes', [schema.whole]),
      row('20-step task: raw output', 'tokens', [task.raw]),
      row('20-step task: results as text', 'tokens', [task.text]),
      row('20-step task: results as structured content', 'tokens', [task.structured]),
    ],
    claims: [
      {
        claim: `an exchange takes ${above.toFixed(2)} ms more than in the library, at most 3`,
        holds: above <= 3,
      },
      { claim: `${schema.input} bytes of tools are less than 6000`, holds: schema.input < 6000 },
      {
        claim: `the text of all results has fewer tokens than the raw output`,
        holds: task.text < task.raw,
      },
    ],
  };
};

const measureExchange = async (count: number) => {
  const times = { library: [] as number[], mcp: [] as number[] };
  await using sessions = new LocalSessions();
  const { session } = await sessions.open({ command: ['python3', '-q'], env });
  const { client, call } = await connect();
  await call('terminal_open', { command: 'python3 -q', name: 'python3' });
  for (let at = 0; at < count; at++) {
    const text = `${at} + 1`;
    times.library.push(await timed(() => sessions.send(session, { text })));
    times.mcp.push(await timed(() => call('terminal_send', { session: 'python3', text })));
  }
  await client.close();
  return times;
};

const measureStart = async (count: number): Promise<number[]> => {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    const { client, call } = await connect();
    await call('terminal_list');
    times.push(performance.now() - started);
    await client.close();
  }
  return times;
};

const measureSchema = async () => {
  const { client } = await connect();
  const { tools } = await client.listTools();
  await client.close();
  const input = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  return { input: bytesOf(input), whole: bytesOf({ tools }) };
};

const bar = `for i in $(seq 1 100); do printf '\\r[%-50s] %3d%%' "$(printf '#%.0s' $(seq 1 $((i / 2 + 1))))" $i; done; echo`;

/** A morning's work: a coloured prompt and listing, a progress bar, a REPL, an error, an editor. */
const steps: readonly object[] = [
  { text: String.raw`PS1='\[\e[1;32m\]\u@\h\[\e[0m\]:\[\e[1;34m\]\w\[\e[0m\]\$ '` },
  { text: 'cd $(mktemp -d)' },
  { text: 'ls --color=always -la /usr/bin | head -30' },
  { text: 'for i in $(seq 1 20); do echo "line $i" > file$i; done' },
  { text: 'ls --color=always' },
  { text: 'grep --color=always -n 1 file1*' },
  { text: bar },
  { text: 'cat nowhere' },
  { text: 'seq 1 100' },
  { text: 'python3 -q' },
  { text: 'def square(x): return x * x' },
  { text: '' },
  { text: '[square(i) for i in range(20)]' },
  { text: 'square("a")' },
  { text: 'exit()' },
  { text: 'read -p "Go on? [y/n] " answer' },
  { text: 'y' },
  { text: 'echo "answer: $answer"' },
  { text: 'less file1' },
  { keys: 'q' },
];

const measureTask = async () => {
  const { client, call } = await connect();
  const session = 'task';
  const results = [await call('terminal_open', { name: session, command: 'exec bash --norc' })];
  for (const step of steps) {
    const keys = 'text' in step && step.text === '' ? { keys: 'Enter' } : step;
    results.push(await call('terminal_send', { session, ...keys }));
  }
  const raw = await call('terminal_read', { session, view: 'raw', from: 0, max_tokens: 1e6 });
  await client.close();
  const texts = results.map(({ content }) =>
    content.map((part) => ('text' in part ? part.text : '')),
  );
  return {
    raw: tokens(Buffer.byteLength((raw.structuredContent as { output: string }).output)),
    text: tokens(Buffer.byteLength(texts.flat().join('\n'))),
    structured: tokens(
      results.reduce((sum, { structuredContent }) => sum + bytesOf(structuredContent), 0),
    ),
  };
};

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await act();
  return performance.now() - started;
};

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const tokens = (bytes: number): number => Math.round(bytes / BYTES_PER_TOKEN);
