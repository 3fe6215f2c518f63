/** Errors, numbers, umask and secrets are the same through the socket as without it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as errors from '../../../src/errors.ts';
import { environmentSecrets } from '../../../src/session/secrets/secret-sources.ts';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';

test('an error has the same class, message and details after it crossed the socket', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  const error: unknown = await sessions.read('nope').catch((thrown) => thrown);
  expect(error).toBeInstanceOf(errors.SessionNotFound);
  expect(error).toMatchObject(new errors.SessionNotFound('nope', []).toJSON());
  expect(String(error)).toMatch(/^SessionNotFound: No session "nope"/);
});

test('the code of every error is made of its name, which the client relies on', () => {
  const source = readFileSync(join(import.meta.dirname, '../../../src/errors.ts'), 'utf8');
  const pairs = [...source.matchAll(/^export class (\w+) .*\n\s+readonly code = '(\w+)'/gm)];
  expect(pairs.length).toBeGreaterThan(30);
  for (const [, name, code] of pairs)
    expect(name!.replace(/(?<!^)([A-Z])/g, '_$1').toUpperCase()).toBe(code);
});

test('NaN and Infinity, which JSON does not have, are refused as without a socket', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'] });
  await expect(sessions.read('cat', { timeoutMs: Number.NaN })).rejects.toMatchObject({
    code: 'UNUSABLE_NUMBER',
    details: { name: 'timeoutMs', value: 'NaN' },
  });
  await expect(sessions.resize('cat', Number.POSITIVE_INFINITY, 5)).rejects.toMatchObject({
    code: 'INVALID_SIZE',
    details: { cols: 'Infinity', rows: '5' },
  });
});

test("a session has its caller's umask, not that of the process that started the daemon", async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  const before = process.umask(0o027);
  onTestFinished(() => void process.umask(before));
  expect((await sessions.run('umask')).output).toBe('0027');
  process.umask(0o077);
  expect((await sessions.open({ command: 'umask' })).output).toBe('0077');
});

test("a secret comes from the caller's environment, and the daemon writes it nowhere", async () => {
  const daemon = ownDaemon();
  const value = 'open sesame, please';
  const secrets = environmentSecrets({ REPARTEE_SECRET_CAVE: value });
  await using sessions = await daemon.connect({ secrets });
  const opened = await sessions.open({
    command: 'read -s -p "Word: " w; echo; echo "got $w"; cat',
    name: 'cave',
    env: { SHELL: '/bin/bash' },
  });
  expect(opened).toMatchObject({ waitingFor: 'secret', secrets: ['cave'] });
  expect(await sessions.list()).toMatchObject([{ secrets: ['cave'] }]);
  const sent = await sessions.send('cave', { secret: 'cave' });
  expect(sent.output).toMatch(/^got /);
  expect(sent.output).not.toContain(value);
  await using other = await daemon.connect({ secrets: environmentSecrets({}) });
  await expect(other.send('cave', { secret: 'cave' })).rejects.toMatchObject({
    code: 'UNKNOWN_SECRET',
  });
  await sessions.closeAll();
  const written = readdirSync(daemon.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(written.join('\n')).toContain('got ');
  expect(written.join('\n')).not.toContain(value);
});
