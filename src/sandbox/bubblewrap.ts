/** Finds bubblewrap, and tries whether it can hold a sandbox on this machine. */
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { SandboxUnavailable } from '../errors.ts';
import { whyNoUserNamespaces } from '../system/proc/machine-info.ts';
import { seccompFilter } from './seccomp-filter.ts';

/** Never the PATH of a caller: an agent could name a program of its own. */
const places = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'];

export const findBubblewrap = (): string => {
  const found = places.find((path) => existsSync(path) && isSystemOwned(path));
  if (found === undefined)
    throw new SandboxUnavailable(
      'bubblewrap is not installed',
      'Install it: `apt install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap`',
    );
  return found;
};

const isSystemOwned = (path: string): boolean => {
  const { uid, mode } = statSync(path);
  return uid === 0 && (mode & 0o022) === 0;
};

export const filterForThisMachine = (): Buffer => {
  const filter = seccompFilter(process.arch);
  if (filter === undefined)
    throw new SandboxUnavailable(`there is no filter for ${process.arch}`, 'Use x64 or arm64');
  return filter;
};

/** Of arguments that have worked: as long as this process lives, they are not tried again. */
const tried = new Map<string, Promise<void>>();
const MAX_TRIED = 256;

/**
 * Starts a program that does nothing, in a sandbox. Otherwise a sandbox that cannot be made would
 * look like a program that has failed.
 */
export const tryBubblewrap = (program: string, args: readonly string[]): Promise<void> => {
  const key = args.join('\0');
  let trial = tried.get(key);
  if (trial === undefined) {
    if (tried.size >= MAX_TRIED) tried.clear();
    trial = runTrial(program, args);
    tried.set(key, trial);
    // What failed may be mended.
    trial.catch(() => tried.delete(key));
  }
  return trial;
};

const TRIAL_MS = 10_000;

const runTrial = (program: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    // Node gives a child no descriptor with bytes in it, so the filter is left out; the kernel has had
    // seccomp for longer than bubblewrap has needed it.
    const at = args.indexOf('--seccomp');
    const withoutFilter = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
    execFile(
      program,
      [...withoutFilter, '/bin/true'],
      { timeout: TRIAL_MS, env: {}, cwd: '/' },
      (error, _stdout, stderr) => {
        if (error === null) resolve();
        else reject(explainFailure(stderr.trim() || error.message));
      },
    );
  });

const explainFailure = (message: string): SandboxUnavailable => {
  const reason = message.replace(/^bwrap: /, '');
  return new SandboxUnavailable(reason, adviceFor(reason));
};

const adviceFor = (reason: string): string => {
  if (/unknown option/i.test(reason)) return 'Install bubblewrap 0.8 or newer';
  if (!/namespace|uid map|setting up|permission|not permitted|user names/i.test(reason))
    return 'See docs/guide/sandbox.md';
  const cause = whyNoUserNamespaces();
  return cause === undefined ? otherwise : remedies[cause];
};

const remedies = {
  apparmor:
    'AppArmor lets only programs with a profile make user namespaces: as root, install the package apparmor-profiles and enable its profile bwrap-userns-restrict',
  debian: 'As root: sysctl kernel.unprivileged_userns_clone=1',
  'none left': 'As root: sysctl user.max_user_namespaces=15000',
};

const otherwise =
  'User namespaces are not allowed here. In a container, allow them (with Docker: a seccomp profile that allows unshare, clone and mount), or run it outside';
