/** Which files are meant: a recording by its path, or the latest of a session by its name. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import { partsOf } from '../../daemon/server/prune-recordings.ts';
import { NotARecording } from '../../errors.ts';
import { nearest } from '../../keys/nearest.ts';

/** `bash.20261115T051822123.77.2.cast`: session, start, process, part. */
const NAME = /^(.+)\.(\d{8}T\d{9})\.\d+\.\d+\.cast$/;

/** In the order in which they are to be played. */
export const findRecording = (nameOrFile: string): string[] => {
  if (isReadableFile(nameOrFile)) return [nameOrFile];
  const { recordings } = daemonPaths();
  const all = existsSync(recordings) ? readdirSync(recordings) : [];
  const found = all.flatMap((file) => {
    const [, session = '', started = ''] = NAME.exec(file) ?? [];
    return started === '' ? [] : [{ file, session, started }];
  });
  const ofSession = found.filter(({ session }) => session === nameOrFile);
  const [latest] = ofSession.sort((one, other) => (one.started < other.started ? 1 : -1));
  if (latest !== undefined) return partsOf(join(recordings, latest.file));
  const meant = nearest(nameOrFile, new Set(found.map(({ session }) => session)));
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`;
  throw new NotARecording(
    nameOrFile,
    `there is no such file, and no session of that name in ${recordings}${hint}`,
  );
};

const isReadableFile = (path: string): boolean => {
  try {
    // A session may be called as a folder is.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return false;
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    throw new NotARecording(path, (error as Error).message);
  }
};
