/**
 * How long is nobody answered when the daemon is killed, and what does its keeper cost?
 *
 * From SIGKILL to the first answered call, which is for one of the sessions, with 1, 20 and 200 of them and
 * a megabyte of history in each; and to the first list, for which all of them are restored. Then the
 * keeper's share of memory beside a running daemon, and what it does while nothing happens. That can be
 * seen by root alone.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DaemonConnection } from '../../src/daemon/client/daemon-connection.ts';
import { connectDaemon, type DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import { type DaemonPaths, daemonPaths } from '../../src/daemon/protocol/daemon-paths.ts';
import { readProcessStat } from '../../src/system/proc/process-stat.ts';
import { type Args, median, numberFlag, quantile, type Report } from '../report/report.ts';

const COUNTS = [1, 20, 200];
/** A megabyte in lines of a hundred bytes, as many as a history keeps. */
const SCRIPT = `line=$(printf '%098d' 7); yes "$line" | head -n 10000; echo ready; read x`;
/** A daemon that dies sooner than a second after its start is started again after a pause. */
const LIFE_MS = 1200;
const MAX_FIRST_MS = 1000;
const MAX_KEEPER_MB = 20;

interface Measured {
  firstMs: number[];
  /** What the daemon has worked until then: on a busy machine this says more. */
  cpuMs: number[];
  listMs: number[];
  keeper: KeeperCost;
}

export const run = async (args: Args): Promise<Report> => {
  const kills = numberFlag(args, 'kills', 20);
  const idleSeconds = numberFlag(args, 'idle', 5);
  const counts = args.flags.sessions === undefined ? COUNTS : [numberFlag(args, 'sessions', 1)];
  const rows: Report['rows'] = [];
  const claims: Report['claims'] = [];
  for (const count of counts) {
    const { firstMs, cpuMs, listMs, keeper } = await measure(count, kills, idleSeconds);
    const p99 = quantile(firstMs, 0.99);
    rows.push({
      sessions: count,
      kills,
      'first answer ms, median': median(firstMs),
      p99,
      'CPU ms until then': median(cpuMs),
      'list of all ms, median': median(listMs),
      'list p99': quantile(listMs, 0.99),
      'keeper PSS MB': keeper.pssMb ?? 'unknown',
      'keeper CPU ms': keeper.cpuMs,
      'its context switches': keeper.switches,
    });
    claims.push({
      claim: `with ${count} sessions the first answer comes within ${MAX_FIRST_MS} ms (p99 ${Math.round(p99)})`,
      holds: p99 <= MAX_FIRST_MS,
    });
    claims.push({
      claim: `the keeper of ${count} sessions takes at most ${MAX_KEEPER_MB} MB`,
      holds: keeper.pssMb === undefined || keeper.pssMb <= MAX_KEEPER_MB,
    });
    claims.push({
      claim: `the keeper of ${count} sessions does nothing in ${idleSeconds} s in which nothing happens`,
      holds: keeper.cpuMs === 0 && keeper.switches === 0,
    });
  }
  return { question: 'How soon is a killed daemon back, and what does that cost?', rows, claims };
};

const measure = async (count: number, kills: number, idleSeconds: number): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-bench-'));
  const paths = daemonPaths({
    XDG_RUNTIME_DIR: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  });
  const sessions = await connectDaemon({ paths });
  try {
    const names = await openAll(sessions, count);
    const firstMs: number[] = [];
    const cpuMs: number[] = [];
    const listMs: number[] = [];
    for (let killed = 0; killed < kills; killed++) {
      await delay(LIFE_MS);
      // One of the last, so that nothing is gained by the order.
      const name = names[count - 1 - (killed % Math.ceil(count / 2))]!;
      const pid = await daemonPid(paths);
      const startMs = performance.now();
      process.kill(pid, 'SIGKILL');
      const { output } = await sessions.read(name, { view: 'screen' });
      firstMs.push(performance.now() - startMs);
      cpuMs.push(workOf(await daemonPid(paths)).cpuMs);
      if (!output.includes('ready')) throw new Error(`${name} shows another screen`);
      const listed = await sessions.list();
      listMs.push(performance.now() - startMs);
      if (listed.length !== count) throw new Error(`${count - listed.length} sessions are lost`);
    }
    const keeper = readProcessStat(await daemonPid(paths))!.parent;
    return { firstMs, cpuMs, listMs, keeper: await costOf(keeper, idleSeconds) };
  } finally {
    await sessions.closeAll({ graceMs: 0, force: true });
    await stop(paths);
    rmSync(folder, { recursive: true, force: true });
  }
};

const openAll = async (sessions: DaemonSessions, count: number): Promise<string[]> => {
  const names = Array.from({ length: count }, (_, at) => `s${at}`);
  for (const name of names)
    await sessions.open({ command: ['bash', '-c', SCRIPT], name, timeoutMs: 0 });
  for (const name of names)
    await sessions.wait({ sessions: [name], match: '^ready', timeoutMs: 60_000 });
  return names;
};

/** Without a hello, so that it is asked before anything else. */
const asked = async <T>(
  paths: DaemonPaths,
  ask: (connection: DaemonConnection) => Promise<T>,
): Promise<T> => {
  const connection = (await DaemonConnection.open(paths))!;
  try {
    return await ask(connection);
  } finally {
    await connection.close();
  }
};

const daemonPid = (paths: DaemonPaths) =>
  asked(paths, async (connection) => (await connection.request('status', {})).pid);

const stop = (paths: DaemonPaths) => asked(paths, (connection) => connection.request('stop', {}));

interface KeeperCost {
  /** Undefined if it cannot be seen. */
  pssMb: number | undefined;
  cpuMs: number;
  switches: number;
}

const costOf = async (pid: number, idleSeconds: number): Promise<KeeperCost> => {
  // What the last calls have caused is over by then.
  await delay(LIFE_MS);
  const before = workOf(pid);
  await delay(idleSeconds * 1000);
  const after = workOf(pid);
  return {
    pssMb: pssOf(pid),
    cpuMs: after.cpuMs - before.cpuMs,
    switches: after.switches - before.switches,
  };
};

const pssOf = (pid: number): number | undefined => {
  try {
    const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(fileOf(pid, 'smaps_rollup'))!;
    return Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
};

/** Of all its threads. The scheduler counts in nanoseconds, where stat(5) has hundredths of a second. */
const workOf = (pid: number): { cpuMs: number; switches: number } => {
  let cpuMs = 0;
  let switches = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    cpuMs += Number(fileOf(pid, `task/${thread}/schedstat`).split(' ')[0]) / 1e6;
    const status = fileOf(pid, `task/${thread}/status`);
    for (const [, count] of status.matchAll(/ctxt_switches:\s+(\d+)/g)) switches += Number(count);
  }
  return { cpuMs, switches };
};

const fileOf = (pid: number, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
