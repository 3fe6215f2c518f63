/** Finds a recording by its path, or the latest one of a session by its name. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import { filesOfRecording } from '../../daemon/server/prune-recordings.ts';
import { readJournal } from '../../daemon/server/session-journal.ts';
import { NotARecording } from '../../errors.ts';
import { nearestWord } from '../../nearest-word.ts';

/** `bash.20261115T051822123.77.2.cast`: session, start, process, part. */
const FILE_NAME = /^(.+)\.(\d{8}T\d{9})\.\d+\.\d+\.cast$/;

/** Returns the files of the recording in the order in which they are played. */
export const findRecording = (nameOrFile: string): string[] => {
  if (isReadableFile(nameOrFile)) return [nameOrFile];
  const { recordings, journal } = daemonPaths();
  // An open session may have been renamed since its recording was begun.
  const open = readJournal(journal).sessions.find(({ name }) => name === nameOrFile);
  const ofOpen = open?.recording === undefined ? [] : filesOfRecording(open.recording);
  if (ofOpen.length > 0) return ofOpen;
  const files = existsSync(recordings) ? readdirSync(recordings) : [];
  const found = files.flatMap((file) => {
    const [, session = '', started = ''] = FILE_NAME.exec(file) ?? [];
    return started === '' ? [] : [{ file, session, started }];
  });
  const ofSession = found.filter(({ session }) => session === nameOrFile);
  const [latest] = ofSession.sort((one, other) => (one.started < other.started ? 1 : -1));
  if (latest !== undefined) return filesOfRecording(join(recordings, latest.file));
  const suggestion = nearestWord(nameOrFile, new Set(found.map(({ session }) => session)));
  const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
  throw new NotARecording(
    nameOrFile,
    `there is no such file, and no session of that name in ${recordings}${hint}`,
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
