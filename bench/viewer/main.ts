/**
 * How much longer an exchange takes while somebody looks, in turns with nobody: 200 sessions in a daemon, of
 * which 20 print without pause, and a page that shows the miniatures of those and one of them large.
 *
 * The page is its messages alone: a browser takes processors of its own, which a person has and we do not
 * measure.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { DaemonConnection } from '../../src/daemon/client/daemon-connection.ts';
import { connectDaemon, type DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import { type DaemonPaths, daemonPaths } from '../../src/daemon/protocol/daemon-paths.ts';
import { PAGE_PROTOCOL } from '../../src/viewer/page-messages.ts';
import { type RunningViewer, serveViewer } from '../../src/viewer/serve-viewer.ts';
import { exchanges, openPartner, python } from '../compare/benches/talk.ts';
import { meanRatio } from '../compare/statistics.ts';
import { type Args, median, numberFlag, type Report } from '../report/report.ts';

const WARM_UP = 100;
const AT_A_TURN = 30;
const MOST = 1.1;
/** About 100 MB a minute in all twenty: what processors can print is more, and leaves nothing to measure. */
const FLOOD = 'while :; do seq 100000 112000; sleep 1; done';

export const run = async (args: Args): Promise<Report> => {
  const count = numberFlag(args, 'sessions', 200);
  const floods = numberFlag(args, 'floods', 20);
  const turns = numberFlag(args, 'turns', 20);
  const folder = mkdtempSync(join(tmpdir(), 'repartee-bench-'));
  const paths = daemonPaths({
    XDG_RUNTIME_DIR: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  });
  const sessions = await connectDaemon({ paths });
  for (const name of ['index.html', 'page.js', 'page.css']) writeFileSync(join(folder, name), '');
  const connect = () => connectDaemon({ paths });
  const pageFolder = `${folder}/`;
  const viewer = await serveViewer({ host: '127.0.0.1', port: 0, connect, pageFolder });
  try {
    const names = await openAll(sessions, count, floods);
    await openPartner(sessions, python);
    await exchanges(sessions, python, WARM_UP);
    return await measure({ sessions, viewer, names, turns });
  } finally {
    await viewer.close();
    await sessions.closeAll({ force: true });
    await sessions[Symbol.asyncDispose]();
    await stopDaemon(paths);
    rmSync(folder, { recursive: true });
  }
};

interface Measured {
  sessions: DaemonSessions;
  viewer: RunningViewer;
  names: string[];
  turns: number;
}

const measure = async ({ sessions, viewer, names, turns }: Measured): Promise<Report> => {
  const pid = await sessions.daemonPid();
  const medians = { watched: [] as number[], alone: [] as number[] };
  const cpuMs = { watched: 0, alone: 0 };
  let received = 0;
  for (let turn = 0; turn < turns * 2; turn++) {
    const arm = turn % 2 === Math.floor(turn / 2) % 2 ? 'watched' : 'alone';
    const page =
      arm === 'watched' ? await openPage(viewer, names, (bytes) => (received += bytes)) : undefined;
    const before = cpuMsOf(pid);
    medians[arm].push(median(await exchanges(sessions, python, AT_A_TURN)));
    cpuMs[arm] += cpuMsOf(pid) - before;
    page?.terminate();
  }
  const ratio = meanRatio(medians.watched.map((ms, at) => ms / medians.alone[at]!));
  return {
    question: 'How much longer is an exchange while somebody looks?',
    rows: [
      ...(['alone', 'watched'] as const).map((arm) => ({
        arm,
        'median ms': median(medians[arm]),
        'CPU ms of the daemon': cpuMs[arm],
      })),
      { arm: 'what the page got, MB', 'median ms': received / 1e6, 'CPU ms of the daemon': '' },
    ],
    claims: [
      {
        claim: `while somebody looks, an exchange takes ${ratio.mean.toFixed(3)} of what it takes alone, at most ${ratio.most.toFixed(3)} (95 %), bound ${MOST}`,
        holds: ratio.most <= MOST,
      },
    ],
  };
};

/** The first of them flood. */
const openAll = async (sessions: DaemonSessions, count: number, floods: number) => {
  const names = Array.from({ length: count }, (_, at) => `s${at}`);
  for (const [at, name] of names.entries())
    await sessions.open({
      ...{ name, timeoutMs: 0 },
      command: at < floods ? ['bash', '-c', FLOOD] : ['cat'],
    });
  return names.slice(0, floods);
};

const openPage = (
  viewer: RunningViewer,
  names: readonly string[],
  onBytes: (bytes: number) => void,
): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const { origin, host, hash } = new URL(viewer.url!);
    const token = new URLSearchParams(hash.slice(1)).get('token');
    const page = new WebSocket(`ws://${host}/`, [PAGE_PROTOCOL, `token.${token}`], {
      headers: { origin },
    });
    let id = 0;
    const ask = (request: string, params: object) =>
      page.send(JSON.stringify({ id: ++id, request, params }));
    page.once('error', reject);
    page.once('open', () => {
      ask('overview', { miniatures: names });
      ask('watch', { session: names[0], watch: 1 });
    });
    page.on('message', (data: Buffer, isBinary) => {
      onBytes(data.length);
      if (isBinary) ask('shown', { watch: 1, bytes: data.length - 4 });
      else if (data.includes('"miniatures"')) resolve(page);
    });
  });

/** Of all its threads. */
const cpuMsOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

const stopDaemon = async (paths: DaemonPaths): Promise<void> => {
  const connection = await DaemonConnection.open(paths);
  await connection?.request('stop', {});
  await connection?.close();
};
