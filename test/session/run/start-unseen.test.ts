import { afterEach, beforeEach, describe, expect } from 'vitest';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { testWith } from '../../helpers/needs.ts';

/** What removes the mark at the start of every command that follows. */
const removers = {
  bash: `trap A=1 DEBUG; PROMPT_COMMAND+=('PS0=')`,
  zsh: 'preexec() { preexec_functions=() }',
  fish: 'function x --on-event fish_preexec; functions -e __repartee_preexec; end',
} as const;

describe('a command of which the start was not marked', () => {
  let sessions: LocalSessions;
  const run = (command: string) => sessions.run(command, { session: 'sh' });
  beforeEach(() => {
    sessions = new LocalSessions();
  });
  afterEach(() => sessions.closeAll({ graceMs: 0, force: true }));

  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    testWith(shell)(`has no exit code rather than a wrong one, in ${shell}`, async () => {
      await sessions.open({ shell: `/usr/bin/${shell}`, name: 'sh', clean: true });
      await run(removers[shell]);
      const unseen = await run("echo one; sh -c 'exit 3'");
      expect(unseen).toMatchObject({ waitingFor: 'command', endMark: 'lost', output: 'one' });
      expect(unseen).not.toHaveProperty('exitCode');
      // From then on marks are typed.
      expect(await run("printf 'a\\tb'; sh -c 'exit 4'")).toMatchObject({
        endMark: 'typed',
        output: 'a\tb',
        exitCode: 4,
      });
    });
  }
});
