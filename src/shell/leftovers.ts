/** Folders in the temporary folder that bear their owner's mark, so that those of the dead can be told. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnusableFolder } from '../errors.ts';
import { makePrivateTemporary } from '../system/files/private-files.ts';
import { readStat } from '../system/proc/process-stat.ts';

const NAME = /^repartee-shell-(\d+)-(\d+)-\w{6}$/;

/** A container may share the folder, and its processes cannot be seen: none needs one for so long. */
const LEFT_MS = 10 * 60_000;

/** For this process, by its pid and its start: a pid alone may be another's by now. */
export const makeMarkedFolder = (): string => {
  try {
    return makePrivateTemporary(
      join(tmpdir(), `repartee-shell-${process.pid}-${startOf(process.pid) ?? 0}-`),
    );
  } catch (error) {
    const remedy = 'Let TMPDIR name a folder that you can write to';
    throw new UnusableFolder(tmpdir(), (error as Error).message, remedy);
  }
};

/** Removes what processes of this user have left that were killed. */
export const sweepLeftovers = (): void => {
  for (const name of namesIn(tmpdir())) {
    const [, pid, start] = NAME.exec(name) ?? [];
    if (pid === undefined || startOf(Number(pid)) === start) continue;
    const path = join(tmpdir(), name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isDirectory() || stat.uid !== process.getuid?.()) continue;
    if (stat.mtimeMs < Date.now() - LEFT_MS) rmSync(path, { recursive: true, force: true });
  }
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    // Some have a temporary folder in which nobody can look around.
    return [];
  }
};

/** Undefined where there is no such process. */
const startOf = (pid: number): string | undefined => readStat(pid)?.startTime.toString();
