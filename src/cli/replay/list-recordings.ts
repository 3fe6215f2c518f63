/** The recordings of all sessions, found by the names of their files. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import { readJournal } from '../../daemon/server/session-journal.ts';
import { readHeader } from '../../session/recording/asciicast.ts';

/** `bash.20261115T051822123.77.2.cast`: session, start, process, part. */
const FILE_NAME = /^((.+)\.(\d{8}T\d{9})\.\d+)\.(\d+)\.cast$/;

export interface FoundRecording {
  /** That of an open session may have been renamed since. */
  session: string;
  /** The session's name in the names of the files. */
  recordedAs: string;
  isOpen: boolean;
  startedMs: number;
  /** In the order in which they are played. A long recording has lost its first ones. */
  files: readonly string[];
}

export interface RecordingFacts extends FoundRecording {
  /** Until its last event. */
  lengthMs: number;
  bytes: number;
  /** Absent if its file cannot be read. */
  command?: string;
}

/** The newest first. */
export const findRecordings = (): FoundRecording[] => {
  const { recordings: folder, journal } = daemonPaths();
  const openNames = new Map(
    readJournal(journal).sessions.map(({ name, recording }) => [stemOf(recording), name]),
  );
  const parts = namesIn(folder)
    .map((name) => FILE_NAME.exec(name))
    .filter((match) => match !== null)
    .sort((one, other) => Number(one[4]) - Number(other[4]));
  const found = new Map<string, FoundRecording & { files: string[] }>();
  for (const [name, stem = '', recordedAs = '', started = ''] of parts) {
    const openName = openNames.get(join(folder, stem));
    const recording = found.get(stem) ?? {
      session: openName ?? recordedAs,
      recordedAs,
      isOpen: openName !== undefined,
      startedMs: millisecondsOf(started),
      files: [],
    };
    recording.files.push(join(folder, name));
    found.set(stem, recording);
  }
  return [...found.values()].sort((one, other) => other.startedMs - one.startedMs);
};

const stemOf = (recording: string | undefined): string | undefined =>
  recording?.replace(/\.\d+\.cast$/, '');

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    // Nothing was recorded yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/** Undefined if it was erased meanwhile. */
export const readFacts = async (found: FoundRecording): Promise<RecordingFacts | undefined> => {
  const stats = found.files.flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? []);
  const last = stats.at(-1);
  if (last === undefined) return undefined;
  const command = await readHeader(found.files[0]!).then(
    (header) => header.command,
    // The list shows what there is: `replay` says what is wrong with it.
    () => undefined,
  );
  return {
    ...found,
    // Each event is written as it comes, so the file was last changed by its last event.
    lengthMs: Math.max(0, Math.round(last.mtimeMs - found.startedMs)),
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    ...(command !== undefined && { command }),
  };
};

/** 20261115T051822123, in UTC. */
const millisecondsOf = (stamp: string): number =>
  Date.parse(
    stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})$/, '$1-$2-$3T$4:$5:$6.$7Z'),
  );
