/**
 * How a session is written down for another process: first its label, by which that process knows it, and
 * which is read at once; then the session itself, which is read when it is gone on with.
 */
import { deserialize, serialize } from 'node:v8';
import { PACKAGE_VERSION } from '../../package-version.ts';
import type { SessionSnapshot } from '../snapshot/session-snapshot.ts';
import { BASE_FORMAT, findUnreadable, writtenFormats } from './formats.ts';

export interface WrittenSession {
  session: SessionSnapshot;
  terminal: { mark: string; startTime: number; isSandbox: boolean };
  /** The TERM of the program, if the session is recorded. */
  recording?: { term: string | undefined };
  /** What others have noted with it. */
  attachments: ReadonlyMap<string, unknown>;
}

export interface SessionLabel extends Omit<WrittenSession, 'session'> {
  name: string;
  command: readonly string[];
  /** Of the program that has written it. */
  version: string;
  /** See formats.ts. */
  format: number;
}

const LENGTH_BYTES = 4;

export const encodeWritten = ({ session, ...rest }: WrittenSession): Buffer => {
  const { name, command } = session;
  const label: SessionLabel = {
    ...rest,
    name,
    command,
    version: PACKAGE_VERSION,
    format: BASE_FORMAT,
  };
  const encoded = serialize(label);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(encoded.length);
  return Buffer.concat([length, encoded, serialize(session)]);
};

/** Throws if it is not what `encodeWritten` has written, or a version that we do not understand. */
export const readLabel = (base: Buffer): SessionLabel => {
  const label: SessionLabel = deserialize(base.subarray(LENGTH_BYTES, labelEnd(base)));
  const problem = findUnreadable({ ...writtenFormats, base: label.format });
  if (problem !== undefined) throw new Error(problem);
  return label;
};

/** Throws as `readLabel` does. */
export const readSession = (base: Buffer): unknown => deserialize(base.subarray(labelEnd(base)));

const labelEnd = (base: Buffer): number => LENGTH_BYTES + base.readUInt32LE();
