/** Finds a recording by its path, or the latest one of a session by its name. */
import { accessSync, constants, statSync } from 'node:fs';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import { NotARecording } from '../../errors.ts';
import { nearestWord } from '../../nearest-word.ts';
import { findRecordings } from './list-recordings.ts';

/** Returns the files of the recording in the order in which they are played. */
export const findRecording = (nameOrFile: string): readonly string[] => {
  if (isReadableFile(nameOrFile)) return [nameOrFile];
  const recordings = findRecordings();
  const ofSession = recordings.filter(
    ({ session, recordedAs }) => session === nameOrFile || recordedAs === nameOrFile,
  );
  // Another recording may be younger that was begun under the name which the open session has now.
  const found =
    ofSession.find(({ session, isOpen }) => isOpen && session === nameOrFile) ?? ofSession[0];
  if (found !== undefined) return found.files;
  const suggestion = nearestWord(nameOrFile, new Set(recordings.map(({ session }) => session)));
  const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
  throw new NotARecording(
    nameOrFile,
    `there is no such file, and no session of that name in ${daemonPaths().recordings}${hint}`,
  );
};

const isReadableFile = (path: string): boolean => {
  try {
    // A folder is no recording, and a session may have the same name.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return false;
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    throw new NotARecording(path, (error as Error).message);
  }
};
