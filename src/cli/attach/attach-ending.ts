/** How an attachment can end, and what the person is told then. */
import { shellExitStatus } from '../../system/process/describe-exit.ts';
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes.ts';
import { ownCommand } from '../own-command.ts';

export interface AttachEnding {
  reason: 'detached' | 'exited' | 'closed' | 'daemon lost' | 'signalled';
  message: string;
  exitCode: number;
  /** The session or its daemon is gone, so size and keyboard cannot be given back. */
  isSessionGone?: true;
}

export const detachedFrom = (session: string): AttachEnding => ({
  reason: 'detached',
  message: `detached; it goes on. \`${ownCommand()} attach ${session}\` comes back`,
  exitCode: EXIT_DONE,
});

export const programExited = ({
  exitCode,
  signal,
}: {
  exitCode?: number;
  signal?: string;
}): AttachEnding => ({
  reason: 'exited',
  message:
    signal === undefined
      ? `it exited with code ${exitCode ?? 'unknown'}`
      : `it was ended by ${signal}`,
  exitCode: EXIT_DONE,
});

export const sessionClosed: AttachEnding = {
  reason: 'closed',
  message: 'somebody closed it',
  exitCode: EXIT_DONE,
  isSessionGone: true,
};

export const daemonLost = (error: unknown): AttachEnding => ({
  reason: 'daemon lost',
  message: `the daemon has ended. ${error instanceof Error ? error.message : String(error)}`,
  exitCode: EXIT_FAILED,
  isSessionGone: true,
});

export const endedBySignal = (signal: 'SIGTERM' | 'SIGHUP' | 'SIGINT'): AttachEnding => ({
  reason: 'signalled',
  message: `ended by ${signal}`,
  exitCode: shellExitStatus({ signal })!,
});
