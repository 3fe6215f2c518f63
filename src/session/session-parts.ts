/** What a session is made of, and what it is given from outside. */
import type { Screen, ScreenOptions } from '../screen/screen.ts';
import type { Terminal } from '../system/terminal/terminal.ts';
import type { OnOutput } from '../system/terminal/terminal-reader.ts';
import type { Caller } from './caller.ts';
import type { Guard } from './options/options.ts';
import type { SessionShell } from './run/session-shell.ts';
import type { MaskedOutput } from './secrets/masked-output.ts';
import type { SecretSource } from './secrets/secrets.ts';
import type { SessionEventBody } from './sessions.ts';

export interface SessionDeps {
  openedBy: Caller;
  guard: Guard;
  emit(event: SessionEventBody): void;
  secretNames: SecretSource['names'];
}

export interface SessionParts {
  command: readonly string[];
  terminal: Terminal;
  shell: SessionShell;
  masking: MaskedOutput;
  makeScreen: MakeScreen;
  deps: SessionDeps;
}

export type MakeScreen = (callbacks: Required<Pick<ScreenOptions, 'reply' | 'onEvent'>>) => Screen;

/** Takes over a terminal whose output goes to the session from now on. */
export type AdoptTerminal = (onOutput: OnOutput) => Terminal | Promise<Terminal>;
