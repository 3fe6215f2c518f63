import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DaemonMemory } from '../../../../src/daemon/server/keeping/daemon-memory.ts';
import { AuditLog } from '../../../../src/daemon/server/policy/audit-log.ts';
import { verifyAudit } from '../../../../src/daemon/server/policy/verify-audit.ts';
import { folderWith } from '../../../helpers/temporary-folder.ts';

const onTrouble = (message: string) => {
  throw new Error(message);
};

test('the audit is bounded: two files, which prove each other', () => {
  const path = join(folderWith(), 'audit.jsonl');
  const audit = new AuditLog(path, { onTrouble, maxBytes: 10_000 });
  for (let at = 0; at < 500; at++) audit.add({ what: 'close', session: `s${at}` });
  for (const file of [path, `${path}.1`]) expect(statSync(file).size).toBeLessThan(11_000);
  expect(readFileSync(path, 'utf8')).toContain('"s499"');
  expect(verifyAudit(audit)).toMatchObject({ verdict: 'intact', unproven: 0 });
});

test('a daemon that was killed before it had noted its last lines goes on after them', () => {
  const path = join(folderWith(), 'audit.jsonl');
  const notes = new Map<string, unknown>();
  let isKilled = false;
  const memory = {
    get: (key: string) => notes.get(key),
    set: (key: string, value: unknown) => void (isKilled || notes.set(key, value)),
  } as DaemonMemory;
  const first = new AuditLog(path, { onTrouble });
  first.load(memory);
  first.add({ what: 'close', session: 'a' });
  isKilled = true;
  first.add({ what: 'close', session: 'b' });
  first.add({ what: 'close', session: 'c' });
  isKilled = false;
  const next = new AuditLog(path, { onTrouble });
  next.load(memory);
  next.add({ what: 'close', session: 'd' });
  expect(verifyAudit(next)).toMatchObject({ verdict: 'intact', proven: 5, isKept: true });
});
