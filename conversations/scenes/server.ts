/** A server that lives as long as a scene, and no longer than the process that made it. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { descendantPids } from '../../src/system/process/process-tree.ts';
import { run, until } from './run.ts';

export interface ServerOptions {
  command: readonly [string, ...string[]];
  /** Where its log is kept. */
  folder: string;
  isReady: (pid: number) => boolean | Promise<boolean>;
  /** A command that runs another one: what it is run in. */
  within?: readonly string[];
  /** The user it becomes. */
  uid?: number;
  env?: Readonly<Record<string, string>>;
  /** How it is asked to end. Default: it is killed, since all it has is in the folder. */
  endedBy?: NodeJS.Signals;
}

export interface Server {
  pid: number;
  stop(): Promise<void>;
}

export const startServer = async (options: ServerOptions): Promise<Server> => {
  const { command, folder, isReady, within = [], uid, env, endedBy = 'SIGKILL' } = options;
  const become = uid === undefined ? [] : [`--reuid=${uid}`, '--regid=nogroup', '--clear-groups'];
  const [program] = command;
  const logFile = join(folder, 'server.log');
  const log = openSync(logFile, 'w');
  // Killed with us: a test that is itself killed cannot strike its scene.
  const guarded = ['setpriv', ...become, '--pdeathsig', 'KILL', '--', ...command];
  const [first = '', ...rest] = [...within, ...guarded];
  const child = spawn(first, rest, {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C.UTF-8', HOME: folder, ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const { pid = 0 } = child;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    // What it started may have left its group and its session, as a login does.
    const family = () => (hasEnded() ? [] : descendantPids(pid));
    if (endedBy === 'SIGKILL') for (const one of family()) kill(one, 'SIGKILL');
    else child.kill(endedBy);
    await until(`the end of ${program}`, hasEnded);
  };
  try {
    await until(`${program} is ready`, async () => {
      if (hasEnded()) throw new Error(`${program} ended: ${readFileSync(logFile, 'utf8')}`);
      return await isReady(pid);
    });
  } catch (error) {
    if (!hasEnded()) await stop();
    throw error;
  }
  return { pid, stop };
};

const kill = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile.
  }
};

/** Whether somebody takes connections there: a socket's path, or a port on loopback. */
export const accepts = (address: string | number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = typeof address === 'string' ? connect(address) : connect(address, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** A port on loopback that nobody has at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Whether the program ends well. */
export const succeeds = (program: string, args: readonly string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );
