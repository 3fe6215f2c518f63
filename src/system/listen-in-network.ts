/**
 * Makes a socket that listens in the network namespace of a sandbox, and belongs to us.
 *
 * To enter a namespace of an ordinary user a process must have one thread, and Node has several. So
 * nsenter(1) enters it and becomes a Node that makes the socket, passes it to us, and ends.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NS_GET_USERNS } from './constants.ts';
import { lastErrnoName, libc } from './libc.ts';
import { hasUserMap, openNetworkOf } from './proc/namespaces.ts';
import { realProc } from './proc/proc.ts';
import { childPidsOf, namespacePidOf } from './proc/process-info.ts';
import { isProcessDead, readProcessStat } from './proc/process-stat.ts';

/** Never by a PATH. */
const places = ['/usr/bin/nsenter', '/bin/nsenter'];

const TIMEOUT_MS = 20_000;
const RETRY_MS = 2;

/** The loopback device may not be up yet. It ends when we have the socket: its end may be told before that. */
const makeSocket = `
const { createServer } = require('node:net');
const [, port] = process.argv;
process.on('disconnect', () => process.exit());
const listen = () => createServer()
  .on('error', ({ code }) => code === 'EADDRNOTAVAIL' ? setTimeout(listen, ${RETRY_MS}) : process.send(code))
  .listen(Number(port), '127.0.0.1', function () { process.send('', this); });
listen();
`;

/** `leader`: what has started the first process of the sandbox. Throws if it cannot be had. */
export const listenInNetworkOf = async (leader: number, port: number): Promise<Server> => {
  const nsenter = places.find((path) => existsSync(path));
  if (nsenter === undefined) throw new Error('nsenter is not installed');
  const first = await firstProcessIn(leader);
  const network = openNetworkOf(first);
  let owner = -1;
  try {
    // Those inside may live in one below it, from which the network cannot be changed.
    owner = libc().ioctlWithNumber(network, NS_GET_USERNS, 0);
    if (owner < 0) throw new Error(`ioctl NS_GET_USERNS: ${lastErrnoName()}`);
    return await receiveSocket(nsenter, [owner, network], port);
  } finally {
    closeSync(network);
    if (owner >= 0) closeSync(owner);
  }
};

const firstProcessIn = async (leader: number): Promise<number> => {
  const untilMs = performance.now() + TIMEOUT_MS;
  for (;;) {
    const found = childPidsOf(leader, `${leader}`, realProc).find(
      (pid) => namespacePidOf(pid) === 1,
    );
    if (found !== undefined && hasUserMap(found)) return found;
    const stat = readProcessStat(leader);
    if (stat === undefined || isProcessDead(stat) || performance.now() > untilMs)
      throw new Error('the sandbox has no process');
    await delay(RETRY_MS);
  }
};

const receiveSocket = (
  nsenter: string,
  [user, network]: [user: number, network: number],
  port: number,
): Promise<Server> =>
  new Promise((resolve, reject) => {
    const entering = ['--preserve-credentials', '--user=/proc/self/fd/3', '--net=/proc/self/fd/4'];
    const child = spawn(nsenter, [...entering, process.execPath, '-e', makeSocket, String(port)], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', user, network, 'ipc'],
      timeout: TIMEOUT_MS,
    });
    let errors = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('message', (problem, handle) => {
      child.disconnect();
      if (handle instanceof Server) resolve(handle);
      else reject(new Error(String(problem)));
    });
    child.once('error', reject);
    child.once('close', (code, signal) =>
      reject(new Error(errors.trim() || `nsenter has ended with ${signal ?? code}`)),
    );
  });
