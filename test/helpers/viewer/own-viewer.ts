/** `repartee view` as a person starts it: in a terminal of its own, with a daemon of its own. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonSessions } from '../../../src/daemon/client/daemon-sessions.ts';
import { MAIN } from '../cli/own-cli.ts';
import { makeDaemon, type OwnDaemon } from '../daemon/own-daemon.ts';
import { until } from '../until.ts';

export interface OwnViewer {
  url: string;
  readOnlyUrl: string;
  origin: string;
  token: string;
  readOnlyToken: string;
  /** As Ctrl-C does. */
  end(): Promise<void>;
}

export interface DaemonWithViewer {
  daemon: OwnDaemon;
  /** An agent. */
  agent: DaemonSessions;
  view(...args: string[]): Promise<OwnViewer>;
  end(): Promise<void>;
}

let count = 0;

/** The caller must call `end`. `policy`: the user's. */
export const daemonWithViewer = async (): Promise<DaemonWithViewer> => {
  const daemon = makeDaemon();
  mkdirSync(daemon.env.XDG_CONFIG_HOME!, { recursive: true });
  const agent = await daemon.connect({ caller: { door: 'mcp', client: { name: 'agent' } } });
  const viewers: OwnViewer[] = [];
  return {
    daemon,
    agent,
    async view(...args) {
      const viewer = await startViewer(daemon, args);
      viewers.push(viewer);
      return viewer;
    },
    async end() {
      await Promise.all(viewers.map((viewer) => viewer.end()));
      await agent[Symbol.asyncDispose]();
      await daemon.end();
    },
  };
};

const startViewer = async (daemon: OwnDaemon, args: readonly string[]): Promise<OwnViewer> => {
  const file = join(daemon.folder, `links-${++count}`);
  const words = [process.execPath, MAIN, 'view', '--json', ...args].map((word) => `'${word}'`);
  // Only a person at a terminal may type and answer.
  const child = spawn('script', ['-qec', `exec ${words.join(' ')} > '${file}'`, '/dev/null'], {
    env: { ...process.env, ...daemon.env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await until('the viewer prints its links', () => {
    if (child.exitCode !== null) throw new Error(`the viewer has exited: ${child.exitCode}`);
    return existsSync(file) && readFileSync(file, 'utf8').endsWith('\n');
  });
  const { url, read_only_url: readOnlyUrl } = JSON.parse(readFileSync(file, 'utf8'));
  const tokenOf = (link: string) => /token=([\w-]+)/.exec(link)![1]!;
  return {
    url,
    readOnlyUrl,
    origin: new URL(url).origin,
    token: tokenOf(url),
    readOnlyToken: tokenOf(readOnlyUrl),
    async end() {
      child.stdin.write('\x03');
      await ended;
    },
  };
};
