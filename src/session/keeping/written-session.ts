/**
 * How a session is written down for another process: its label, by which that process knows it, and
 * which is read at once; and the session itself, which is read when it is gone on with.
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

export const encodeWritten = ({
  session,
  ...rest
}: WrittenSession): { label: Buffer; body: Buffer } => {
  const { name, command } = session;
  const label: SessionLabel = {
    ...rest,
    name,
    command,
    version: PACKAGE_VERSION,
    format: BASE_FORMAT,
  };
  return { label: serialize(label), body: serialize(session) };
};

/** Throws if it is not what `encodeWritten` has written, or a version that we do not understand. */
export const readLabel = (encoded: Buffer): SessionLabel => {
  const label: SessionLabel = deserialize(encoded);
  const problem = findUnreadable({ ...writtenFormats, base: label.format });
  if (problem !== undefined) throw new Error(problem);
  return label;
};

/** Throws if it is not what `encodeWritten` has written. */
export const readSession = (body: Buffer): unknown => deserialize(body);
