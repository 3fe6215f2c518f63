import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { connectKept, killDaemonOf } from '../../../helpers/daemon/kept-daemon.ts';
import type { OwnDaemon } from '../../../helpers/daemon/own-daemon.ts';

const writePolicy = ({ paths }: OwnDaemon, text: string): void => {
  mkdirSync(dirname(paths.policy), { recursive: true });
  writeFileSync(paths.policy, text, { mode: 0o600 });
};

const policy = JSON.stringify({ rules: [{ command: '^rm ', then: 'deny', why: 'no' }] });
const refused = { code: 'REFUSED_BY_POLICY' };

test('a killed daemon loses neither held text, nor the policy, nor what proves the audit', async () => {
  const { daemon, sessions } = await connectKept();
  writePolicy(daemon, policy);
  await sessions.open({ name: 'sh', command: ['bash', '--norc'] });
  const held = await sessions.send('sh', { text: 'rm x', submit: false });
  expect(held.notice).toContain('4 typed characters are held');
  writePolicy(daemon, '{');
  await killDaemonOf(daemon);
  // The file is broken, but the daemon before had a good one.
  const read = await sessions.read('sh');
  expect(read.notice).toContain('the rules before the last change hold');
  await expect(sessions.send('sh', { keys: 'Enter' })).rejects.toMatchObject(refused);
  expect((await sessions.send('sh', { text: 'echo done' })).output.trim()).toBe('done');
  expect(await sessions.verifyAudit()).toMatchObject({ verdict: 'intact', isKept: true });
  const audit = readFileSync(daemon.paths.audit, 'utf8');
  writeFileSync(daemon.paths.audit, audit.replace('"denied"', '"allowed"'));
  expect(await sessions.verifyAudit()).toMatchObject({ verdict: 'broken' });
});

test('when the keeper is gone too, it is unknown whether the audit is authentic', async () => {
  const { daemon, sessions, connect } = await connectKept();
  await sessions.open({ name: 'c', command: ['cat'] });
  await sessions[Symbol.asyncDispose]();
  const audit = readFileSync(daemon.paths.audit, 'utf8');
  await daemon.end();
  mkdirSync(dirname(daemon.paths.audit), { recursive: true, mode: 0o700 });
  mkdirSync(dirname(daemon.paths.socket), { recursive: true, mode: 0o700 });
  writeFileSync(daemon.paths.audit, audit, { mode: 0o600 });
  const later = await connect();
  await later.open({ name: 'c', command: ['cat'] });
  expect(await later.verifyAudit()).toMatchObject({
    verdict: 'unknown',
    unproven: audit.trim().split('\n').length,
  });
  await later[Symbol.asyncDispose]();
});
