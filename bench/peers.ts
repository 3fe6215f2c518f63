/** Other people's libraries, to measure beside ours; installed on demand, never our dependencies. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../bench/peers');

export const peer = (packageName: string): unknown => {
  if (!existsSync(join(folder, 'node_modules', packageName))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', packageName], {
      cwd: folder,
      stdio: ['ignore', 2, 2],
    });
  }
  return createRequire(join(folder, 'package.json'))(packageName);
};

/** The part of node-pty's interface that the benches use. */
export interface NodePty {
  spawn(
    file: string,
    args: readonly string[],
    options: { cols: number; rows: number; cwd: string; env: object; encoding: null },
  ): {
    onData(listener: (chunk: Buffer) => void): void;
    onExit(listener: () => void): void;
    pause(): void;
    resume(): void;
    kill(signal?: string): void;
  };
}

/** node-pty with prebuilt binaries; the original must be compiled. */
export const nodePty = (): NodePty => peer('@lydell/node-pty') as NodePty;
