/** A policy in this process, before sessions in this process, and who answers its questions. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DaemonLog } from '../../../src/daemon/server/daemon-log.ts';
import { DaemonPolicy } from '../../../src/daemon/server/policy/daemon-policy.ts';
import type { RuleText } from '../../../src/policy/policy.ts';
import type { Caller } from '../../../src/session/caller.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { until } from '../until.ts';

export const person: Caller = { door: 'cli', user: 'ann', uid: 1, kind: 'person' };
export const agent: Caller = { ...person, door: 'mcp', kind: 'agent' };

export const sessionsWithPolicy = async (
  rules: readonly RuleText[] | string,
  approvalMs = 20_000,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-policy-'));
  const paths = { policy: join(folder, 'policy.json'), audit: join(folder, 'audit.jsonl') };
  const write = (text: readonly RuleText[] | string) =>
    writeFileSync(paths.policy, typeof text === 'string' ? text : JSON.stringify({ rules: text }), {
      mode: 0o600,
    });
  write(rules);
  const sessions = new LocalSessions();
  const log = new DaemonLog(join(folder, 'log'));
  const policy = new DaemonPolicy(paths, sessions, log, approvalMs);
  await policy.load(undefined);
  onTestFinished(async () => {
    await sessions.closeAll({ force: true });
    rmSync(folder, { recursive: true });
  });
  const { approvals } = policy;
  const nextQuestion = async () => {
    await until('a person is asked', () => approvals.waiting.length > 0);
    return approvals.waiting[0]!;
  };
  return { sessions, policy, paths, write, approvals, nextQuestion };
};
