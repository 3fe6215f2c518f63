/** The checks of `repartee doctor`: those of the engine, and what the command line needs as well. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import {
  assertSocketPathLength,
  folderProblemRemedies,
} from '../../daemon/protocol/path-ownership.ts';
import { PACKAGE_VERSION } from '../../package-version.ts';
import { openRequest } from '../../session/options/requests.ts';
import { examineMachine, type Finding } from '../../system/diagnostics.ts';
import { describeOtherDaemons } from '../other-daemons.ts';
import { canUpgrade, daemonStatus } from '../with-daemon.ts';
import { checkSandboxes } from './check-sandboxes.ts';

export const examineInstallation = async (): Promise<Finding[]> => [
  checkVersions(),
  ...examineMachine(),
  checkShell(),
  checkRuntimeFolder(),
  checkRecordings(),
  ...(await checkSandboxes()),
  await checkDaemon(),
];

const checkVersions = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  const version = `Node ${process.versions.node}, Repartee ${PACKAGE_VERSION}`;
  return {
    what: 'versions',
    ok,
    says: ok ? version : `${version}: Node 20.19 or later is needed; install a newer one`,
  };
};

const checkShell = (): Finding => {
  const [path = ''] = openRequest({ cwd: '/' }).command;
  const ok = existsSync(path);
  return {
    what: 'shell',
    ok,
    says: ok ? path : `there is no ${path}: let SHELL name a shell that is there`,
  };
};

const checkRuntimeFolder = (): Finding => {
  const { runtimeFolder, socket } = daemonPaths();
  const what = 'socket';
  try {
    assertSocketPathLength(socket);
  } catch (error) {
    return { what, ok: false, says: (error as Error).message };
  }
  return checkWritable(what, runtimeFolder, folderProblemRemedies.runtime);
};

const checkRecordings = (): Finding =>
  checkWritable('recordings', daemonPaths().recordings, folderProblemRemedies.state);

/** A folder that does not exist yet is checked by its nearest parent that does. */
const checkWritable = (what: string, folder: string, remedy: string): Finding => {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    // Permissions are not enough: root has them all, and still cannot write to /proc or a full disk.
    const testFolder = mkdtempSync(join(existing, '.repartee-'));
    try {
      writeFileSync(join(testFolder, 'file'), 'x');
    } finally {
      rmSync(testFolder, { recursive: true });
    }
    return { what, ok: true, says: folder };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { what, ok: false, says: `${existing} cannot be written to (${code}). ${remedy}` };
  }
};

const checkDaemon = async (): Promise<Finding> => {
  const what = 'daemon';
  try {
    const status = await daemonStatus();
    if (status === undefined)
      return { what, ok: true, says: 'not running; it starts when a session is opened' };
    const { version, pid, sessions } = status;
    const others = await describeOtherDaemons(pid);
    if (others.length > 0) return { what, ok: false, says: others.join('; ') };
    const running = `process ${pid} of version ${version}, ${sessions.length} sessions`;
    if (version === PACKAGE_VERSION) return { what, ok: true, says: running };
    const remedy = canUpgrade(status)
      ? ': `repartee daemon restart` brings it, and the sessions go on'
      : '';
    return { what, ok: true, says: `${running}; this is ${PACKAGE_VERSION}${remedy}` };
  } catch (error) {
    return { what, ok: false, says: (error as Error).message };
  }
};
