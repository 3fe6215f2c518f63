import { describe, expect, onTestFinished } from 'vitest';
import { scenes } from '../../../conversations/scenes.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

describe('run in a shell on the other side of', () => {
  for (const shell of ['bash --norc', 'dash']) {
    testWith(
      'ssh',
      'sshd',
      'unshare',
      'ssh-keygen',
      'setpriv',
      'bash',
      'dash',
    )(
      `ssh, where it is ${shell}`,
      async () => {
        const scene = await scenes.sshd!(folderWith());
        onTestFinished(() => scene.strike());
        const sessions = new LocalSessions();
        onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
        await sessions.open({ shell: '/bin/bash', clean: true, name: 'sh', env: scene.env });
        const { matched } = await sessions.send('sh', {
          text: `ssh -F $SSH_CONFIG -o StrictHostKeyChecking=no -t box "env -i HISTFILE=/dev/null PS1='far> ' ${shell}"`,
          match: 'far>',
        });
        expect(matched).toBe('far>');
        await sessions.wait({ sessions: ['sh'] });

        const run = (command: string) => sessions.run(command, { session: 'sh' });
        expect(await run('echo one; cd /usr; false')).toMatchObject({
          output: 'one',
          exitCode: 1,
          cwd: '/usr',
          endMark: 'typed',
        });
        expect(await run("cat <<'END'\na\n\tb\nEND")).toMatchObject({ output: 'a\n\tb' });
        expect(await run('printf x')).toMatchObject({ output: 'x', exitCode: 0 });
        // The shell in which ssh was started marks the end.
        expect(await run('exit 4')).toMatchObject({ exitCode: 4, certainty: 'certain' });
        expect(await run('echo back')).toMatchObject({ output: 'back', endMark: 'shell' });
      },
      40_000,
    );
  }
});
