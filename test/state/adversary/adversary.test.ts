/**
 * Small programs that were made to fool the judge. The first line of each says what is true: what it
 * waits for, or that it works, or that it works where nobody can see it. A certain verdict must be right,
 * and a program that waits must not be waited for in vain.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { isInstalled } from '../../../scripts/installed.js';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { testWith } from '../../helpers/needs.ts';
import { sharedFolder } from '../../helpers/temporary-folder.ts';

// Nearly all of them sleep.
vi.setConfig({ maxConcurrency: 12 });

const folder = join(import.meta.dirname, 'programs');
const built = mkdtempSync(join(sharedFolder, 'repartee-adversary-'));
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** They answer by themselves after 1.5 s, again and again. */
const WORK_MS = 1200;
/** A program whose waiting shows in nothing but silence is found after one second. */
const WAIT_MS = 8000;

const programs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.c'))
  .map((path) => {
    const source = readFileSync(join(folder, path), 'utf8');
    const [, kind, waitingFor] = /^\/\* (waits|works|unseen): (\w+)?/.exec(source) ?? [];
    return { name: path.slice(0, -'.c'.length), path, kind, waitingFor };
  });

/** `SANDBOX=workspace npx vitest run adversary`: what is true does not change in a sandbox. */
const { SANDBOX: profile } = process.env;
const confined = profile ? { sandbox: { profile, workspace: sharedFolder } } : {};

const OPTIONS = ['-w', '-O1', '-pthread'];
/** Without any library, because a machine seldom has those for 32 bits. */
const OPTIONS_32_BIT = ['-w', '-O1', '-m32', '-nostdlib', '-static', '-fno-pic'];

const gcc = (...args: string[]) => promisify(execFile)('gcc', args);

/** The headers are most of what has to be compiled, so they are compiled once. */
const buildHeader = async (): Promise<void> => {
  const header = join(folder, 'truth.h');
  await gcc(...OPTIONS, '-x', 'c-header', header, '-o', join(built, 'truth.h.gch'));
};

const build = async (path: string): Promise<string> => {
  const [source, binary] = [
    join(folder, path),
    join(built, path.replaceAll('/', '-').slice(0, -2)),
  ];
  const options = path.endsWith('.m32.c') ? OPTIONS_32_BIT : OPTIONS;
  await gcc(...options, '-I', built, '-I', folder, '-o', binary, source);
  return binary;
};

const suits = ({ path }: { path: string }) => process.arch === 'x64' || !path.endsWith('.m32.c');

beforeAll(async () => {
  if (isInstalled('gcc')) await buildHeader();
});

describe.concurrent('what is true is found of', () => {
  for (const { name, kind, path, waitingFor } of programs.filter(suits))
    testWith('gcc')(name, async (context) => {
      // What is said to be true of it is said by its folder too.
      expect(path.split('/')[0]).toBe(kind);
      const sessions = new LocalSessions(confined);
      context.onTestFinished(async () => {
        await sessions.closeAll({ force: true, graceMs: 0 });
      });
      const command = [await build(path)];
      if (kind === 'works') {
        await sessions.open({ name: 'it', command, timeoutMs: 0 });
        const certain = { sessions: ['it'], certainty: 'certain', timeoutMs: WORK_MS } as const;
        const worked = await sessions.wait(certain);
        expect(worked).toMatchObject({ timedOut: true });
        return;
      }
      const opened = await sessions.open({ name: 'it', command, timeoutMs: WAIT_MS });
      expect(opened).toMatchObject({ state: 'waiting' });
      expect(opened.timedOut).toBeUndefined();
      const isCertain = opened.certainty === 'certain';
      if (kind === 'waits' && isCertain) expect(opened.waitingFor).toBe(waitingFor);
    });
});
