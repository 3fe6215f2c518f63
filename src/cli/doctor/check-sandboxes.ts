/**
 * Which sandboxes this machine can hold: each profile is tried, with a program that does nothing, and a
 * network of named hosts, which none of those built in has.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TerminalError } from '../../errors.ts';
import { trySandbox } from '../../sandbox/confine-program.ts';
import { describeLimits } from '../../sandbox/limits.ts';
import { profileNames } from '../../sandbox/profile.ts';
import { makeSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import type { Finding } from '../../system/diagnostics.ts';

/** Nobody has to use one, so it is no fault if there is none. */
export const checkSandboxes = async (env = process.env): Promise<Finding[]> => {
  const workspace = mkdtempSync(join(tmpdir(), 'repartee-'));
  try {
    const findings: Finding[] = [];
    for (const name of profileNames(env)) {
      const says = await problemOf(() => makeSandbox(name, workspace));
      findings.push({ what: `sandbox ${name}`, ok: true, says });
    }
    const withHosts = { ...makeSandbox('read-only', workspace), network: ['example.org'] };
    findings.push({ what: 'sandbox hosts', ok: true, says: await problemOf(() => withHosts) });
    findings.push({ what: 'sandbox limits', ok: true, says: describeLimits() });
    return findings;
  } finally {
    rmSync(workspace, { recursive: true });
  }
};

const problemOf = async (make: () => Sandbox): Promise<string> => {
  try {
    await trySandbox(make());
    return 'can be held';
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    return `not here: ${error.message}`;
  }
};
