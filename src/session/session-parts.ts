/** What a session is made of, and what it is given from outside. */

import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Screen, ScreenOptions } from '../screen/screen.ts';
import type { Terminal } from '../system/terminal/terminal.ts';
import type { OnOutput } from '../system/terminal/terminal-reader.ts';
import type { Caller } from './caller.ts';
import type { Gate } from './input/gate.ts';
import type { KeptSession } from './keeping/kept-session.ts';
import type { SessionKeeping } from './keeping/session-keeping.ts';
import type { WrittenSession } from './keeping/written-session.ts';
import type { Guard } from './options/options.ts';
import type { SessionShell } from './run/session-shell.ts';
import type { MaskedOutput } from './secrets/masked-output.ts';
import type { SecretSource } from './secrets/secrets.ts';
import type { SessionEventBody } from './sessions.ts';

export interface SessionDeps {
  openedBy: Caller;
  guard: Guard;
  /** Asked before anything is typed. Absent: everything is typed at once. */
  gate?: Gate;
  emit(event: SessionEventBody): void;
  secretNames: SecretSource['names'];
  /** Keeps the session beyond the end of this process. Absent: it ends with it. */
  keeping?: SessionKeeping;
  /** How the session is recorded, for the process that goes on with it. */
  recording?: WrittenSession['recording'];
  /** Absent if its programs are not confined. */
  sandbox?: Sandbox;
  /** What a new session is written down with. */
  attachments?: ReadonlyMap<string, unknown>;
}

export interface SessionParts {
  command: readonly string[];
  terminal: Terminal;
  shell: SessionShell;
  masking: MaskedOutput;
  makeScreen: MakeScreen;
  deps: SessionDeps;
  kept?: KeptSession | undefined;
}

export type MakeScreen = (callbacks: Required<Pick<ScreenOptions, 'reply' | 'onEvent'>>) => Screen;

/** Takes over a terminal whose output goes to the session from now on. */
export type AdoptTerminal = (onOutput: OnOutput) => Terminal | Promise<Terminal>;
