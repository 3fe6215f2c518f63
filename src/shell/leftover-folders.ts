/** Temporary folders named after their process, so that those of dead processes can be removed. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnusableFolder } from '../errors.ts';
import { makePrivateTemporaryFolder } from '../system/files/private-files.ts';
import { readProcessStat } from '../system/proc/process-stat.ts';

const NAME = /^repartee-shell-(\d+)-(\d+)-\w{6}$/;

/**
 * Only folders older than this are removed. A container may share the temporary folder, and we
 * cannot see its processes; but no process needs its folder for this long.
 */
const MIN_AGE_MS = 10 * 60_000;

/** The name has the pid and the start time of this process, because pids are reused. */
export const makeFolderOfProcess = (): string => {
  try {
    return makePrivateTemporaryFolder(
      join(tmpdir(), `repartee-shell-${process.pid}-${startTimeOf(process.pid) ?? 0}-`),
    );
  } catch (error) {
    const remedy = 'Let TMPDIR name a folder that you can write to';
    throw new UnusableFolder(tmpdir(), (error as Error).message, remedy);
  }
};

/** Removes the folders of this user's processes that were killed. */
export const removeLeftoverFolders = (): void => {
  for (const name of listFolder(tmpdir())) {
    const [, pid, start] = NAME.exec(name) ?? [];
    if (pid === undefined || startTimeOf(Number(pid)) === start) continue;
    const path = join(tmpdir(), name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isDirectory() || stat.uid !== process.getuid?.()) continue;
    if (stat.mtimeMs < Date.now() - MIN_AGE_MS) rmSync(path, { recursive: true, force: true });
  }
};

const listFolder = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    // Some systems have a temporary folder that cannot be listed.
    return [];
  }
};

/** Undefined if there is no such process. */
const startTimeOf = (pid: number): string | undefined => readProcessStat(pid)?.startTime.toString();
