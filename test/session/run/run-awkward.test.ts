import { describe, expect, onTestFinished } from 'vitest';
import { awkward } from '../../../bench/run/awkward.ts';
import { problemsOf } from '../../../bench/run/judge-run.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

describe('awkward commands are run exactly', () => {
  for (const shell of ['bash', 'zsh', 'fish', 'dash'] as const) {
    testWith(shell, 'python3')(
      `in ${shell}`,
      async () => {
        const sessions = new LocalSessions();
        onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
        const folder = folderWith();
        expect(await problemsOf(sessions, shell, folder, awkward(folder))).toEqual([]);
      },
      120_000,
    );
  }
});
