/**
 * Small programs that were made to fool the judge. The first line of each says what is true: what it
 * waits for, or that it works. A certain verdict must be right, and a program that waits must not be
 * waited for in vain.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, onTestFinished } from 'vitest';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { testWith } from '../../helpers/needs.ts';

const folder = join(import.meta.dirname, 'programs');
const built = mkdtempSync(join(tmpdir(), 'repartee-adversary-'));
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** As long as the works here take to show that they were under way. */
const WORK_MS = 1200;

const programs = readdirSync(folder)
  .filter((file) => file.endsWith('.c'))
  .map((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    const [, truth = '', waitingFor] = /^\/\* (works|waits)(?:: (\w+))?/.exec(source) ?? [];
    return { name: file.slice(0, -2), truth, waitingFor };
  });

const build = async (name: string): Promise<string> => {
  const binary = join(built, name);
  const args = ['-w', '-O1', '-pthread', '-o', binary, join(folder, `${name}.c`), '-lrt'];
  await promisify(execFile)('gcc', args);
  return binary;
};

describe.each(programs)('$name', ({ name, truth, waitingFor }) => {
  testWith('gcc')(`is found to be what it is: it ${truth}`, async () => {
    const sessions = new LocalSessions();
    onTestFinished(async () => {
      await sessions.closeAll({ force: true, graceMs: 0 });
    });
    const opened = await sessions.open({
      name: 'it',
      command: [await build(name)],
      timeoutMs: 8000,
    });
    if (truth === 'waits') {
      expect(opened).toMatchObject({ state: 'waiting' });
      expect(opened.timedOut).toBeUndefined();
      if (opened.certainty === 'certain') expect(opened.waitingFor).toBe(waitingFor);
      return;
    }
    const certain = { sessions: ['it'], certainty: 'certain', timeoutMs: WORK_MS } as const;
    expect(await sessions.wait(certain)).toMatchObject({ timedOut: true });
  });
});
