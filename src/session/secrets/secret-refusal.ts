/**
 * Decides whether a secret may be typed now. Pure: evidence goes in, a refusal or nothing comes out.
 *
 * It may be typed if the terminal reads a line without echo. Raw mode also has the echo off, but a
 * program in raw mode, or behind a connection, may print what it gets. There the secret's owner must
 * have allowed it, and even then it is never typed where it would certainly be printed.
 */
import type { Evidence } from '../../state/judge.ts';
import type { Verdict } from '../../state/verdict.ts';
import type { Secret, SecretPermission } from './secrets.ts';

export interface SecretRefusal {
  reason: string;
  /** What the agent or a person can do. */
  remedy: string;
}

/** The kernel keeps only this many characters of a program's name. */
const MAX_NAME_CHARS = 15;

const attach = 'A person can attach to the session and type it';

export const secretRefusal = (
  { name, allow = [], programs }: Omit<Secret, 'value'>,
  verdict: Verdict,
  { kernel, terminal }: Pick<Evidence, 'kernel' | 'terminal'>,
): SecretRefusal | undefined => {
  if (verdict.state !== 'waiting') {
    return {
      reason: `the program does not ask for anything now (${verdict.because})`,
      remedy: 'Wait until it asks',
    };
  }
  const { foreground = 'an unknown program', waitingFor } = verdict;
  const isForOthers = programs?.every((name) => name.slice(0, MAX_NAME_CHARS) !== foreground);
  if (isForOthers) {
    return {
      reason: `it is only for ${programs!.join(', ') || 'no program'}, and ${foreground} asks`,
      remedy: `${attach}, or its owner can add ${foreground} to its programs`,
    };
  }
  if (waitingFor === 'secret' && kernel?.lineMode.canonical) return undefined;

  if (kernel === undefined || kernel.lineMode.echo) {
    return {
      reason: `${foreground} would show it: the terminal prints what is typed`,
      remedy: attach,
    };
  }
  if (waitingFor === 'command' || terminal.bracketedPaste) {
    return {
      reason: `${foreground} would show it: it edits lines, and prints what it gets`,
      remedy: attach,
    };
  }
  const needed: SecretPermission = isRemote(kernel) ? 'remote' : 'raw';
  if (allow.includes(needed)) return undefined;
  const where = needed === 'remote' ? `what is behind ${foreground}` : `${foreground} in raw mode`;
  return {
    reason: `nobody can tell whether ${where} would print it`,
    remedy: `${attach}, or its owner can allow it: "allow: ${needed}" in the file of "${name}"`,
  };
};

/** The program that matters is behind a connection, or belongs to another user and is hidden. */
const isRemote = ({ threads }: NonNullable<Evidence['kernel']>): boolean =>
  threads.every(({ doing }) => doing === 'hidden') ||
  threads.some(({ terminalWait }) => terminalWait?.isBlindRelay || terminalWait?.alsoWaitsForPeer);
