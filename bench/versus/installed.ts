/** What others have made, to measure beside ours; installed on demand, never our dependencies. */
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = join(import.meta.dirname, '../../../bench/peers');

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

export interface Tool {
  packageName: string;
  /** Versions of its dependencies that can be had, where its own choice cannot. */
  overrides?: Readonly<Record<string, string>>;
  /** Whether its install scripts are needed: they compile. */
  scripts: boolean;
}

export interface Installed {
  /** The package's own folder. */
  folder: string;
  version: string;
}

/** A program of npm's, in a folder of its own: two of them need not agree on anything. */
export const installTool = async ({
  packageName,
  overrides = {},
  scripts,
}: Tool): Promise<Installed> => {
  const own = join(folder, packageName.replace(/^@.*\//, ''));
  const installed = join(own, 'node_modules', packageName);
  if (!existsSync(join(installed, 'package.json'))) {
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'package.json'), JSON.stringify({ private: true, overrides }));
    const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
    if (!scripts) flags.push('--ignore-scripts');
    await ended('npm', ['install', ...flags, packageName], {
      cwd: own,
      stdio: ['ignore', 2, 2],
      // Headers of Node to compile with: those beside the running one, not fetched from its site.
      env: { ...process.env, npm_config_nodedir: dirname(dirname(process.execPath)) },
    });
  }
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { folder: installed, version };
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is for dpkg to fill in.
const VERSION_FORMAT = '${Version}';

/** The version of a Debian package, installed where it is missing and we may. */
export const debianPackage = async (name: string): Promise<string | undefined> => {
  const version = () => {
    const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f', VERSION_FORMAT, name]);
    return status === 0 && stdout.length > 0 ? stdout.toString() : undefined;
  };
  const found = version();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0)
    // Several are wanted at once, and only one may install at a time.
    await ended(
      'apt-get',
      ['-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends', name],
      { stdio: ['ignore', 2, 2] },
    );
  return version();
};

const ended = (program: string, args: readonly string[], options: SpawnOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    spawn(program, args, options)
      .once('error', reject)
      .once('exit', () => resolve());
  });
