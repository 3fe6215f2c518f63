/**
 * A sandbox: a profile on this machine and for one workspace, with real paths. It says what programs may
 * do, not how that is enforced.
 */
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ProfileUnusable, WorkspaceRefused } from '../errors.ts';
import { alwaysHidden } from './hidden-paths.ts';
import { HostRules } from './network/host-rules.ts';
import { isWithin, realPath } from './paths.ts';
import { findProfile, type SandboxLimits, type SandboxProfile, WORKSPACE } from './profile.ts';
import { checkWorkspace } from './workspace.ts';

export interface Sandbox {
  /** The name of its profile. */
  profile: string;
  /** It can be read also where it lies in a folder that looks empty. Absent if there is none. */
  workspace?: string;
  write: 'all' | readonly string[];
  read: 'all' | readonly string[];
  hide: readonly string[];
  network: SandboxProfile['network'];
  env: readonly string[];
  limits: SandboxLimits;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * `workspace`: the folder of who has started the door. `env`: of this process, never of the program.
 * Throws if there is no such profile, or if the workspace cannot be one.
 */
export const makeSandbox = (
  name: string,
  workspace: string | undefined,
  env: Env = process.env,
): Sandbox => {
  const profile = findProfile(name, env);
  const home = env.HOME || homedir();
  const keys = realPaths(alwaysHidden(env));
  const hide = [...keys, ...realPaths(profile.hide.map((path) => expand(path, home)))];
  const isNamed = [profile.write, profile.read].some(
    (paths) => paths !== 'all' && paths.includes(WORKSPACE),
  );
  const check = () => checkWorkspace(workspace, name, { hide, keys, home });
  const folder = isNamed ? check() : valueOrNothing(check);
  const real = (paths: SandboxProfile['write']) =>
    paths === 'all'
      ? paths
      : paths.map((path) => {
          if (path === WORKSPACE) return folder!;
          const expanded = expand(path, home);
          if (!existsSync(expanded)) throw new ProfileUnusable(name, `there is no ${expanded}`);
          return realpathSync(expanded);
        });
  const write = real(profile.write);
  if (write !== 'all') {
    const covered = write.find((path) => hide.some((hidden) => isWithin(path, hidden)));
    if (covered !== undefined)
      throw new ProfileUnusable(name, `it lets ${covered} be written, which is hidden`);
  }
  return {
    ...profile,
    profile: name,
    ...(folder !== undefined && { workspace: folder }),
    write,
    read: real(profile.read),
    hide,
  };
};

/** A folder that cannot be the workspace is only not shown as one. */
const valueOrNothing = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch (error) {
    if (error instanceof WorkspaceRefused) return undefined;
    throw error;
  }
};

const realPaths = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => realPath(path) ?? []);

const expand = (path: string, home: string): string =>
  path.startsWith('~') ? join(home, path.slice(1)) : path;

/**
 * Whether programs in one sandbox can do nothing that those in the other cannot. `outer` undefined: these
 * are not confined at all.
 */
export const isAsConfined = (inner: Sandbox | undefined, outer: Sandbox | undefined): boolean => {
  if (outer === undefined) return true;
  if (inner === undefined) return false;
  const { limits } = outer;
  return (
    areWithin(inner.write, outer.write) &&
    areWithin(inner.read, outer.read) &&
    isWorkspaceWithin(inner.workspace, outer.workspace) &&
    outer.hide.every((path) => inner.hide.some((hidden) => isWithin(path, hidden))) &&
    isNetworkWithin(inner.network, outer.network) &&
    inner.env.every((name) => outer.env.includes(name)) &&
    (Object.keys(limits) as (keyof SandboxLimits)[]).every(
      (name) => (inner.limits[name] ?? Number.POSITIVE_INFINITY) <= limits[name]!,
    )
  );
};

const isNetworkWithin = (inner: Sandbox['network'], outer: Sandbox['network']): boolean => {
  if (inner === 'none' || outer === 'all') return true;
  if (inner === 'all' || outer === 'none') return false;
  return new HostRules(inner).areWithin(new HostRules(outer));
};

const isWorkspaceWithin = (inner: string | undefined, outer: string | undefined): boolean =>
  inner === undefined || (outer !== undefined && isWithin(inner, outer));

const areWithin = (inner: Sandbox['write'], outer: Sandbox['write']): boolean => {
  if (outer === 'all') return true;
  if (inner === 'all') return false;
  return inner.every((path) => outer.some((folder) => isWithin(path, folder)));
};
