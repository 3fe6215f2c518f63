/** What the engine finds out about the machine, and what the command line needs besides. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import { assertSocketPath, folderRemedies } from '../../daemon/protocol/path-ownership.ts';
import { VERSION } from '../../daemon/protocol/version.ts';
import { openRequest } from '../../session/options/requests.ts';
import { examineMachine, type Finding } from '../../system/diagnostics.ts';
import { daemonStatus } from '../with-daemon.ts';

export const examineInstallation = async (): Promise<Finding[]> => [
  node(),
  ...examineMachine(),
  shell(),
  runtimeFolder(),
  stateFolder(),
  await daemon(),
];

const node = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  const version = `Node ${process.versions.node}, Repartee ${VERSION}`;
  return {
    what: 'versions',
    ok,
    says: ok ? version : `${version}: Node 20.19 or later is needed; install a newer one`,
  };
};

const shell = (): Finding => {
  const [path = ''] = openRequest({ cwd: '/' }).command;
  const ok = existsSync(path);
  return {
    what: 'shell',
    ok,
    says: ok ? path : `there is no ${path}: let SHELL name a shell that is there`,
  };
};

const runtimeFolder = (): Finding => {
  const { runtimeFolder, socket } = daemonPaths();
  const what = 'socket';
  try {
    assertSocketPath(socket);
  } catch (error) {
    return { what, ok: false, says: (error as Error).message };
  }
  return writable(what, runtimeFolder, folderRemedies.runtime);
};

const stateFolder = (): Finding =>
  writable('recordings', daemonPaths().recordings, folderRemedies.state);

/** The folder itself may still have to be made: then in the nearest one that is there. */
const writable = (what: string, folder: string, remedy: string): Finding => {
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  try {
    // Only this tells: root may write anywhere, except where nobody can, as in /proc or on a full disk.
    const made = mkdtempSync(join(there, '.repartee-'));
    try {
      writeFileSync(join(made, 'file'), 'x');
    } finally {
      rmSync(made, { recursive: true });
    }
    return { what, ok: true, says: folder };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { what, ok: false, says: `${there} cannot be written to (${code}). ${remedy}` };
  }
};

const daemon = async (): Promise<Finding> => {
  const what = 'daemon';
  try {
    const status = await daemonStatus();
    if (status === undefined)
      return { what, ok: true, says: 'not running; it starts when a session is opened' };
    const { version, pid, sessions } = status;
    const runs = `process ${pid} of version ${version}, ${sessions.length} sessions`;
    const ok = version === VERSION;
    const remedy = '`repartee daemon stop` ends it and its sessions';
    return { what, ok, says: ok ? runs : `${runs}: of another version; ${remedy}` };
  } catch (error) {
    return { what, ok: false, says: (error as Error).message };
  }
};
