import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith, makeGate } from '../helpers/temporary-folder.ts';

type Files = Readonly<Record<string, string>>;

const homeWith = (files: Files): string => {
  const home = folderWith();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
};

const own = (home: string) => ({
  HOME: home,
  INPUTRC: undefined,
  PROMPT_COMMAND: undefined,
  PS1: undefined,
  ZDOTDIR: undefined,
  XDG_CONFIG_HOME: undefined,
  XDG_DATA_HOME: undefined,
});

const open = async (shell: string, files: Files, options = {}) => {
  // Made before the sessions, so that it is removed after they are closed: shells write into it.
  const home = homeWith(files);
  const sessions = new LocalSessions();
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const opened = await sessions.open({
    shell: `/usr/bin/${shell}`,
    name: 'sh',
    env: own(home),
    cwd: home,
    ...options,
  });
  const run = (command: string) => sessions.run(command, { session: 'sh' });
  return { sessions, opened, home, run };
};

const atPrompt = { state: 'waiting', waitingFor: 'command', certainty: 'certain' };
describe('a shell with marks', () => {
  testWith('bash')(
    'has no line of ours in its history, nor a variable in its children',
    async () => {
      const { run, home } = await open('bash', { '.bashrc': "PS1='$ '; HISTCONTROL=" });
      await run('echo one');
      expect((await run('history')).output).toMatch(/^\s+1\s+echo one\n\s+2\s+history$/);
      const { output } = await run('env');
      expect(output).not.toContain('REPARTEE_SHELL');
      expect(output).not.toMatch(/133;|aid=/);
      expect((await run('echo ~')).output).toBe(home);
    },
  );

  // Without it the first fish in a home makes completions of every manual page.
  const withoutCompletions = { '.local/share/fish/generated_completions/none.fish': '' };
  const histories = {
    bash: {
      files: { '.bashrc': "PS1='$ '; PROMPT_COMMAND='history -a'", '.bash_history': 'echo mine\n' },
      file: '.bash_history',
    },
    zsh: {
      files: {
        '.zshrc': 'HISTFILE=~/.zhistory; HISTSIZE=9; SAVEHIST=9; setopt SHARE_HISTORY',
        '.zhistory': 'echo mine\n',
      },
      file: '.zhistory',
    },
    fish: {
      files: {
        '.local/share/fish/fish_history': '- cmd: echo mine\n  when: 1700000000\n',
        ...withoutCompletions,
      },
      file: '.local/share/fish/fish_history',
    },
  };
  for (const [shell, { files, file }] of Object.entries(histories)) {
    testWith(shell)(`of ${shell} writes nothing into the user's history`, async () => {
      const { sessions, home, run } = await open(shell, files);
      await run('echo by the agent');
      const { output } = await run('history');
      expect(output).toContain('echo by the agent');
      // bash and zsh can recall what the user has typed elsewhere; fish has nothing but its own.
      expect(output.includes('echo mine')).toBe(shell !== 'fish');
      await sessions.send('sh', { text: 'exit', until: 'exit' });
      expect(readFileSync(join(home, file), 'utf8')).toBe(Object(files)[file]);
    });
  }

  testWith('fish')('of fish says that a line was not run, and goes on without it', async () => {
    const { sessions, run } = await open('fish', withoutCompletions);
    const refused = await run('echo one; end');
    expect(refused).toMatchObject({ exitCode: 1, waitingFor: 'command', endMark: 'shell' });
    expect(refused.output).toMatch(/^fish: 'end' outside of a block/);
    // Neither the line nor the key that drops it is anything to read.
    expect((await sessions.send('sh', { text: 'echo next' })).output).toBe('next');
    expect(await run('echo on')).toMatchObject({ exitCode: 0, output: 'on' });
  });

  testWith('fish')('of fish drops a line that was not run, though a key is lost', async () => {
    // fish loses a C-c that comes in the moment before it reads. This one always loses the first.
    const config = "bind \\cc 'set -q lost; and commandline -f cancel-commandline; set -g lost'";
    const { run } = await open('fish', {
      ...withoutCompletions,
      '.config/fish/config.fish': config,
    });
    expect(await run('echo one; end')).toMatchObject({ exitCode: 1, waitingFor: 'command' });
    expect(await run('echo next')).toMatchObject({ exitCode: 0, output: 'next' });
  });

  testWith('zsh')('of zsh has no variable of ours in its children', async () => {
    const { run } = await open('zsh', { '.zshrc': '' });
    expect((await run('env')).output).not.toMatch(/REPARTEE_(SHELL|ZDOTDIR)|^ZDOTDIR|aid=/m);
  });

  testWith(
    'bash',
    'zsh',
    'fish',
  )('leaves no file behind, nor one that never begins', async () => {
    const TMPDIR = folderWith();
    vi.stubEnv('TMPDIR', TMPDIR);
    onTestFinished(() => void vi.unstubAllEnvs());
    const homes = { zsh: homeWith({ '.zshrc': '' }), fish: homeWith({}) };
    const env = own(homeWith({ '.bashrc': 'exit 3' }));
    const { sessions } = await open('bash', {});
    for (const [shell, home] of Object.entries(homes)) {
      const folder = readdirSync(TMPDIR);
      expect(folder.filter((name) => name.startsWith('repartee-shell-'))).toEqual([]);
      await sessions.open({ shell: `/usr/bin/${shell}`, env: own(home) });
    }
    expect(await sessions.open({ shell: '/bin/bash', env })).toMatchObject({ exitCode: 3 });
    await expect(sessions.open({ shell: '/no/such/bash' })).rejects.toMatchObject({
      code: 'PROGRAM_NOT_FOUND',
    });
    const left = readdirSync(TMPDIR).filter((name) => name.startsWith('repartee-shell-'));
    expect(left).toEqual([]);
  });

  for (const shell of ['bash', 'zsh', 'fish']) {
    testWith(shell)(`of ${shell} reads no files where it is to be clean`, async () => {
      const files = {
        '.bashrc': 'A=1',
        '.zshenv': 'A=1',
        '.zshrc': 'A=1',
        '.config/fish/config.fish': 'set -g A 1',
      };
      const { opened, run } = await open(shell, files, { clean: true });
      expect(opened).toMatchObject(atPrompt);
      expect(await run('echo "<$A>"; false')).toMatchObject({
        output: '<>',
        exitCode: 1,
        endMark: 'shell',
      });
    });
  }

  testWith('bash')('goes on to mark when the user turns to a strict shell', async () => {
    const { run } = await open('bash', { '.bashrc': "PS1='$ '; PROMPT_COMMAND='A=1'" });
    for (const option of ['-u', '-x', '-v', '-T', '-E']) {
      await run(`set ${option}`);
      const { output, exitCode } = await run('echo a; ! true');
      expect(output.split('\n').at(-2) ?? output, option).toMatch(/a$|true$/);
      expect(exitCode, option).toBe(1);
      await run(`set +${option.slice(1)}`);
    }
    expect(await run('set -e; ! true')).toMatchObject({ ...atPrompt, exitCode: 1 });
    expect(await run('false')).toMatchObject({ state: 'exited', exitCode: 1 });
  });

  testWith('bash')('leaves a prompt alone that is not its business', async () => {
    const { sessions, run } = await open('bash', { '.bashrc': "PS1='one\\ntwo> '" });
    const result = await sessions.send('sh', { text: 'printf x' });
    // The whole prompt is left out of the output, and what stands before it on its line is not.
    expect(result).toMatchObject({ output: 'x', prompt: 'two> ' });
    await run("PS1='new> '");
    expect(await run('echo a; false')).toMatchObject({
      ...atPrompt,
      output: 'a',
      exitCode: 1,
      prompt: 'new> ',
    });
    await run('PROMPT_COMMAND="history -a; $PROMPT_COMMAND"');
    for (const _ of [1, 2])
      expect(await run('echo a; false')).toMatchObject({ output: 'a', exitCode: 1 });
    await run('unset PROMPT_COMMAND');
    expect(await run('echo a; false')).toMatchObject({ output: 'a', exitCode: 1 });
  });

  testWith('bash')('may get a prompt of more lines, which is seen once', async () => {
    const { sessions } = await open('bash', { '.bashrc': "PS1='$ '" });
    const send = (text: string) => sessions.send('sh', { text });
    expect(await send("PS1='two\\nline> '")).toMatchObject({ output: 'two', prompt: 'line> ' });
    expect(await send('echo a')).toMatchObject({ output: 'a', prompt: 'line> ' });
    // What bash says of its jobs stands before the prompt, and is no part of it.
    const untilDone = 'true & while kill -0 $! 2>/dev/null; do :; done';
    for (const _ of [1, 2])
      expect((await send(untilDone)).output).toMatch(/^\[1\] \d+\n\[1\]\+ +Done .*$/);
    expect(await send("PS1='one> '")).toMatchObject({ output: '', prompt: 'one> ' });
    expect(await send('echo a')).toMatchObject({ output: 'a' });
  });

  const lost = {
    bash: ['exec 2>/dev/null', 'exec 2>&-', 'unset PROMPT_COMMAND PS0'],
    zsh: ['precmd_functions=() preexec_functions=()'],
  };
  for (const [shell, commands] of Object.entries(lost)) {
    for (const command of commands) {
      testWith(shell)(`is given typed ones when its own are lost: ${command}`, async () => {
        const { sessions, run } = await open(shell, { '.bashrc': "PS1='$ '", '.zshrc': '' });
        expect(await run(command)).toMatchObject({ exitCode: 0, endMark: 'shell' });
        const typed = { ...atPrompt, endMark: 'typed' };
        expect(await run('echo one; (exit 3)')).toMatchObject({
          ...typed,
          output: 'one',
          exitCode: 3,
        });
        expect(await run('true')).toMatchObject({ ...typed, output: '', exitCode: 0 });
        expect((await sessions.read('sh')).output).toBe('');
      });
    }
  }

  const removed = {
    bash: 'unset PS1 PROMPT_COMMAND PS0',
    zsh: 'unfunction -m "__repartee*"; zle -D zle-line-init',
    fish: 'functions -e (functions -a | string match "__repartee*")',
  };
  for (const [shell, command] of Object.entries(removed)) {
    testWith(shell)(`of ${shell} may lose them, which is told: ${command}`, async () => {
      const { sessions, run } = await open(shell, withoutCompletions);
      const gone = {
        waitingFor: 'command',
        certainty: 'likely',
        because: 'the shell is at its prompt again, but its marks are gone',
      };
      const lost = await run(command);
      expect(lost).toMatchObject({ ...gone, endMark: 'lost', output: '' });
      expect(lost).not.toHaveProperty('exitCode');
      expect(await run('sh -c "exit 3"')).toMatchObject({ ...gone, endMark: 'typed', exitCode: 3 });
      // Its own `read` is not its prompt.
      expect(await run('read x')).toMatchObject({ waitingFor: 'line', endMark: 'typed' });
      await expect(run('true')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
      expect(await sessions.send('sh', { text: 'a' })).toMatchObject(gone);
      expect(await run('echo on')).toMatchObject({ ...gone, output: 'on', exitCode: 0 });
    });
  }

  testWith('bash')('of bash is believed again when its prompts can be seen again', async () => {
    const { run } = await open('bash', { '.bashrc': "PS1='$ '" });
    await run('exec 2>/dev/null');
    await run('exec 2>/dev/tty');
    expect(await run('echo one; false')).toMatchObject({
      ...atPrompt,
      output: 'one',
      exitCode: 1,
      endMark: 'shell',
    });
  });

  for (const shell of ['bash', 'zsh', 'fish']) {
    testWith(shell)(`of ${shell} has its key in nothing that a child can read`, async () => {
      const exported = {
        '.bashrc': "set -a; PS1='$ '; PROMPT_COMMAND=A=1",
        '.zshrc': "setopt all_export; PROMPT='%# '; PROMPT_EOL_MARK='~'",
      };
      const { sessions, run } = await open(shell, { ...withoutCompletions, ...exported });
      const raw = await sessions.read('sh', { view: 'raw', from: 0 });
      const [, key] = /aid=([0-9a-f]{16})/.exec(raw.output)!;
      // The child of the shell reads its own environment, and the one its parent was started with.
      const child = "sh -c 'cat /proc/self/environ /proc/$PPID/environ /proc/$PPID/cmdline'";
      const { output } = await run(child);
      expect(output).toContain('REPARTEE_SHELL=');
      expect(output).not.toContain(key);
      const [, file] = /REPARTEE_SHELL=\w+:([^\0]*?)(?=[A-Z_]+=|$)/.exec(output)!;
      expect((await run(`cat '${file}'`)).output).not.toContain(key);
    });

    testWith(shell)(`of ${shell} runs on where a job has printed half a line`, async () => {
      const { sessions, run } = await open(shell, withoutCompletions);
      const gate = makeGate();
      await run(`sh -c '${gate.wait}; printf half' &`);
      const half = sessions.wait({ sessions: ['sh'], match: 'half' });
      gate.open();
      expect(await half).not.toHaveProperty('timedOut');
      expect(await run('echo on')).toMatchObject({ ...atPrompt, output: 'on', exitCode: 0 });
    });
  }

  testWith('zsh')('of zsh tells that it has begun a line by itself', async () => {
    const { run } = await open('zsh', { '.zshrc': '' });
    await run('print -z echo mine');
    await expect(run('echo on')).rejects.toMatchObject({ code: 'LINE_BEGUN' });
  });

  for (const command of ['preexec_functions=()', 'unset preexec_functions']) {
    testWith('zsh')(`of zsh goes on to mark after ${command}`, async () => {
      const { sessions, run } = await open('zsh', { '.zshrc': '' });
      await run(command);
      for (const exitCode of [3, 0])
        expect(await run(`echo one; (exit ${exitCode})`)).toMatchObject({
          ...atPrompt,
          output: 'one',
          exitCode,
          endMark: 'shell',
        });
      expect((await sessions.read('sh')).output).toBe('');
    });
  }
});
