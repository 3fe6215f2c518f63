/**
 * What does it cost that sessions live in a daemon?
 *
 * One exchange (type a line, get the answer and the verdict) in this process, through the daemon,
 * and through an MCP server on stdio and the daemon behind it; then 20 clients and 100 sessions at
 * once; then a flood of output while somebody follows it, or should and does not.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { DaemonConnection } from '../src/daemon/client/daemon-connection.ts';
import { connectDaemon, type DaemonSessions } from '../src/daemon/client/daemon-sessions.ts';
import { type DaemonPaths, daemonPaths } from '../src/daemon/protocol/daemon-paths.ts';
import { encodeFrame } from '../src/daemon/protocol/frames.ts';
import { PROTOCOLS } from '../src/daemon/protocol/protocol.ts';
import { PACKAGE_VERSION } from '../src/package-version.ts';
import { LocalSessions } from '../src/session/local-sessions.ts';
import type { Sessions } from '../src/session/sessions.ts';
import { type Args, median, numberFlag, quantile, type Report } from './report/report.ts';

const MAIN = join(import.meta.dirname, '../src/cli/main.js');
const FLOOD_BYTES = 50_000_000;

type Row = Report['rows'][number];

export const run = async (args: Args): Promise<Report> => {
  const runs = numberFlag(args, 'runs', 500);
  const clients = numberFlag(args, 'clients', 20);
  const sessions = numberFlag(args, 'sessions', 100);
  const folder = mkdtempSync(join(tmpdir(), 'repartee-bench-'));
  // What the client, the daemon and the MCP server all go by.
  Object.assign(process.env, {
    XDG_RUNTIME_DIR: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    REPARTEE_SOCKET: '',
  });
  const where = daemonPaths();
  try {
    const starting = await timeStart();
    const rows: Row[] = [starting.row];
    const here = await exchanges('in this process', new LocalSessions(), runs);
    const behind = await exchanges('through the daemon', starting.sessions, runs);
    const mcp = await overMcp(runs);
    rows.push(here.row, behind.row, mcp.row);
    const crowd = await atOnce(clients, sessions, where);
    rows.push(...crowd.rows);
    const floods = await floodRows(starting.sessions, where);
    rows.push(...floods.rows);
    return {
      question: 'What does it cost that sessions live in a daemon?',
      rows,
      claims: [
        {
          claim: `the median through MCP stdio and the daemon, ${mcp.median.toFixed(2)} ms, is at most 5 ms`,
          holds: mcp.median <= 5,
        },
        {
          claim: `${clients} clients and ${sessions} sessions at once: every answer was the right one`,
          holds: crowd.wrong === 0,
        },
        {
          claim: 'a client that has stopped reading costs a flood at most a fifth of its speed',
          holds: floods.stoppedShare >= 0.8,
        },
      ],
    };
  } finally {
    await stopDaemon(where);
    rmSync(folder, { recursive: true, force: true });
  }
};

const timeStart = async () => {
  const started = performance.now();
  const sessions = await connectDaemon();
  const coldMs = performance.now() - started;
  const connects: number[] = [];
  for (let at = 0; at < 50; at++) {
    const before = performance.now();
    const another = await connectDaemon();
    connects.push(performance.now() - before);
    await another[Symbol.asyncDispose]();
  }
  const row: Row = {
    what: 'connect: the daemon is started, or is there',
    'first ms': coldMs,
    'median ms': median(connects),
    'p99 ms': quantile(connects, 0.99),
  };
  return { sessions, row };
};

const exchanges = async (what: string, sessions: Sessions, runs: number) => {
  const name = (await sessions.open({ command: ['python3', '-q'] })).session;
  const times = await converse(
    runs,
    async (line) => (await sessions.send(name, { text: line })).output,
  );
  await sessions.close(name, { graceMs: 0 });
  return { row: rowOf(`one exchange ${what}`, times), median: median(times) };
};

const overMcp = async (runs: number) => {
  const client = new Client({ name: 'bench', version: '1' });
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const command = process.execPath;
  await client.connect(new StdioClientTransport({ command, args: [MAIN, 'mcp'], env }));
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })).structuredContent as Record<string, string>;
  const { session } = await call('terminal_open', { command: 'python3 -q' });
  const times = await converse(
    runs,
    async (text) => (await call('terminal_send', { session, text })).output ?? '',
  );
  await call('terminal_close', { session });
  await client.close();
  return {
    row: rowOf('one exchange through MCP stdio and the daemon', times),
    median: median(times),
  };
};

/** Exchanges one after another; an answer that is not the right one is an error. */
const converse = async (
  runs: number,
  ask: (line: string) => Promise<string>,
): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 1000; n < 1000 + runs; n++) {
    const started = performance.now();
    const output = await ask(`${n}+1`);
    times.push(performance.now() - started);
    if (output !== `${n + 1}`) throw new Error(`${n}+1 was answered by ${JSON.stringify(output)}`);
  }
  return times;
};

/** Every client has its share of the sessions, and talks to all of them at the same time. */
const atOnce = async (clients: number, sessions: number, where: DaemonPaths) => {
  const all = await Promise.all(Array.from({ length: clients }, () => connectDaemon()));
  const each = Math.ceil(sessions / clients);
  const times: number[] = [];
  let wrong = 0;
  const opened = performance.now();
  const names = await Promise.all(
    all.map((client) => Promise.all(Array.from({ length: each }, () => openCat(client)))),
  );
  const openMs = performance.now() - opened;
  const talked = performance.now();
  await Promise.all(
    all.flatMap((client, at) =>
      names[at]!.map(async (name) => {
        for (let n = 0; n < 20; n++) {
          const started = performance.now();
          const { output } = await client.send(name, { text: `${name} ${n}` });
          times.push(performance.now() - started);
          if (output !== `${name} ${n}`) wrong++;
        }
      }),
    ),
  );
  const rate = times.length / ((performance.now() - talked) / 1000);
  const pid = await pidOf(where);
  const rows: Row[] = [
    {
      ...rowOf(`${clients} clients, ${clients * each} sessions, all at once`, times),
      'per s': Math.round(rate),
      'daemon MB': memoryMegabytes(pid),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
    },
    { what: `opening ${clients * each} of cat`, 'first ms': openMs },
  ];
  await all[0]!.closeAll({ graceMs: 0 });
  await Promise.all(all.map((client) => client[Symbol.asyncDispose]()));
  return { rows, wrong };
};

const openCat = async (client: DaemonSessions): Promise<string> =>
  (await client.open({ command: ['cat'], timeoutMs: 60_000 })).session;

/** How fast a program can write: with nobody listening, with one who follows, with one who stopped. */
const floodRows = async (sessions: DaemonSessions, where: DaemonPaths) => {
  const alone = await flood(sessions);
  const recorded = await flood(sessions, true);
  await using follower = await connectDaemon();
  let heard = 0;
  const stop = follower.subscribe((event) => {
    if (event.type === 'output') heard += event.bytes.length;
  });
  const followed = await flood(sessions);
  stop();
  const socket = await stoppedClient(where);
  const stopped = await flood(sessions);
  socket.destroy();
  const row = (what: string, rate: number): Row => ({ what, 'MB/s': rate });
  return {
    rows: [
      row('a flood of output, nobody listens', alone),
      row('and it is recorded', recorded),
      row(
        `and a client follows (it heard ${Math.round((heard / FLOOD_BYTES / 2) * 100)} %)`,
        followed,
      ),
      row('and a client that has stopped reading', stopped),
    ],
    stoppedShare: stopped / alone,
  };
};

/** The better of two: whatever else the machine does makes one slower, never faster. */
const flood = async (sessions: DaemonSessions, record = false): Promise<number> =>
  Math.max(await floodOnce(sessions, record), await floodOnce(sessions, record));

const floodOnce = async (sessions: DaemonSessions, record: boolean): Promise<number> => {
  const line = '0123456789'.repeat(8);
  const { session } = await sessions.open({ command: ['bash', '--norc'], record });
  const started = performance.now();
  const text = `yes ${line} | head -c ${FLOOD_BYTES}`;
  await sessions.send(session, { text, timeoutMs: 120_000 });
  const rate = FLOOD_BYTES / 1e6 / ((performance.now() - started) / 1000);
  await sessions.close(session, { graceMs: 0 });
  return rate;
};

const stoppedClient = async (where: DaemonPaths): Promise<Socket> => {
  const socket = connect(where.socket);
  const ask = (id: number, method: string, params: object) =>
    socket.write(Buffer.concat(encodeFrame({ jsonrpc: '2.0', id, method, params }, 'binary')));
  ask(1, 'hello', { protocol: PROTOCOLS.newest, version: PACKAGE_VERSION });
  ask(2, 'subscribe', { subscription: 1 });
  socket.pause();
  await delay(100);
  return socket;
};

const rowOf = (what: string, times: readonly number[]): Row => ({
  what,
  exchanges: times.length,
  'median ms': median(times),
  'p99 ms': quantile(times, 0.99),
});

const ask = async <M extends 'status' | 'stop'>(where: DaemonPaths, method: M) => {
  const link = await DaemonConnection.open(where);
  const answer = await link?.request(method, {});
  await link?.close();
  return answer;
};

const pidOf = async (where: DaemonPaths): Promise<number> => (await ask(where, 'status'))?.pid ?? 0;

const stopDaemon = async (where: DaemonPaths): Promise<void> => void (await ask(where, 'stop'));

const memoryMegabytes = (pid: number): number =>
  Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  );
