/** Keeps a session busy while a command runs on after `run` has returned, and no longer. */
import type { SessionShell } from './session-shell.ts';

export const forgetAtEnd = (shell: SessionShell): void => {
  const { running } = shell;
  const tracker = running?.tracker;
  const forget = () => {
    if (tracker !== undefined && tracker.end === undefined) return;
    tracker?.stop();
    if (shell.running === running) shell.running = undefined;
  };
  if (tracker !== undefined) tracker.onChange = forget;
  forget();
};
