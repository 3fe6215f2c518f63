/**
 * Who asks: through which door, for which user, a person or an agent, from inside a session or not.
 *
 * It travels with every call. It is no boundary: all of it can be forged by another process of the same
 * user, which could as well use the user's files and terminals directly.
 */
import { userInfo } from 'node:os';
import type { SandboxOptions } from './confinement.ts';
import { DEFAULT_ACTOR } from './options/options.ts';
import type { CallOptions } from './sessions.ts';

/** `unknown`: a client of version 0.1.0 does not say it. */
export const doors = ['mcp', 'cli', 'attach', 'viewer', 'library', 'unknown'] as const;
export type Door = (typeof doors)[number];

/** The program that uses a door, as it names itself. */
export interface ClientProgram {
  name: string;
  version?: string;
}

export interface Caller {
  door: Door;
  client?: ClientProgram;
  user: string;
  uid: number;
  kind: 'person' | 'agent';
  /** Absent in the process that has the sessions, and where it cannot be seen. */
  pid?: number;
  /**
   * It runs inside a session of ours, and is that session's agent and nothing more. The name is absent
   * if the session is closed, or if it is only known that one of ours has started the caller.
   */
  inside?: { session?: string };
}

/** What a client says of itself when it connects. */
export interface CallerClaim {
  door: Door;
  client?: ClientProgram;
  /** It is a person, who sits at a terminal outside our sessions. Refused if that is not so. */
  person?: boolean;
  /** How far its programs may go, as who has started it says. @default this process's folder as workspace */
  sandbox?: SandboxOptions;
}

/** A name under which something is done, and who does it. */
export interface Actor {
  name: string;
  caller: Caller;
}

/** The caller in this process, which is an agent: nobody sits in front of a library. */
export const ownCaller = (door: Door = 'library', client?: ClientProgram): Caller => ({
  door,
  ...(client && { client }),
  user: userName(),
  uid: ownUid(),
  kind: 'agent',
});

export const actorOf = ({ actor = DEFAULT_ACTOR, caller = ownCaller() }: CallOptions): Actor => ({
  name: actor,
  caller,
});

/** The name of a user; `user 1234` if it has none, or if it is neither ours nor root. */
export const userName = (uid: number = ownUid()): string => {
  if (uid !== ownUid()) return uid === 0 ? 'root' : `user ${uid}`;
  ownName ??= lookUpOwnName();
  return ownName;
};

/** Kept, since every call of a library asks for it, and the answer comes from a file. */
let ownName: string | undefined;

const lookUpOwnName = (): string => {
  try {
    return userInfo().username;
  } catch {
    // This user id has no name.
    return `user ${ownUid()}`;
  }
};

/** The same caller after a session was renamed, which may be the one that it runs in. */
export const insideRenamed = (caller: Caller, from: string, to: string): Caller =>
  caller.inside?.session === from ? { ...caller, inside: { session: to } } : caller;

/** For people: `claude-code 2.1 (mcp)`, `ann (attach)`, `ann (cli) inside build`. */
export const describeCaller = ({ door, client, user, inside }: Caller): string => {
  const name = client ? [client.name, client.version].filter(Boolean).join(' ') : user;
  const where = inside && ` inside ${inside.session ?? 'a session'}`;
  return `${name} (${door})${where ?? ''}`;
};

const ownUid = (): number => process.getuid?.() ?? -1;
