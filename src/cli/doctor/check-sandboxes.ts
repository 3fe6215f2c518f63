/** Which sandboxes this machine can hold: each profile is tried, with a program that does nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TerminalError } from '../../errors.ts';
import { trySandbox } from '../../sandbox/confine-program.ts';
import { profileNames } from '../../sandbox/profile.ts';
import { makeSandbox } from '../../sandbox/sandbox.ts';
import type { Finding } from '../../system/diagnostics.ts';

/** Nobody has to use one, so it is no fault if there is none. */
export const checkSandboxes = async (env = process.env): Promise<Finding[]> => {
  const workspace = mkdtempSync(join(tmpdir(), 'repartee-'));
  try {
    const findings: Finding[] = [];
    for (const name of profileNames(env)) {
      const says = await problemOf(name, workspace);
      findings.push({ what: `sandbox ${name}`, ok: true, says });
    }
    return findings;
  } finally {
    rmSync(workspace, { recursive: true });
  }
};

const problemOf = async (profile: string, workspace: string): Promise<string> => {
  try {
    await trySandbox(makeSandbox(profile, workspace));
    return 'can be held';
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    return `not here: ${error.message}`;
  }
};
