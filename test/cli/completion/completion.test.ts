import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { folderWithCli, type OwnCli, ownCli } from '../../helpers/cli/own-cli.ts';
import { testWith } from '../../helpers/needs.ts';

/** The completion script for a shell, and an environment in which `repartee` is on the PATH. */
const prepare = async (cli: OwnCli, shell: string) => {
  const folder = folderWithCli({ script: (await cli.run('completion', shell)).stdout });
  const env = { ...cli.env, PATH: `${folder}:${cli.env.PATH}` };
  return { script: join(folder, 'script'), env };
};

/** One session is open, another has left its recording. */
const openAndClose = async (cli: OwnCli) => {
  await cli.run('open', '--name', 'my-session', '--', 'cat');
  await cli.run('open', '--name', 'old-session', 'true');
  await cli.run('close', 'old-session');
};

testWith('bash')('bash completes commands, options, their values, and session names', async () => {
  const cli = ownCli();
  await openAndClose(cli);
  const { script, env } = await prepare(cli, 'bash');
  const complete = (...words: string[]) => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const line = `. ${script}; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _repartee; echo "\${COMPREPLY[*]}"`;
    return execFileSync('bash', ['--norc', '-c', line], { env, encoding: 'utf8' }).trim();
  };
  expect(complete('repartee', 're')).toBe('read rename resize recordings replay');
  expect(complete('repartee', 'send', '--se')).toBe('--secret');
  expect(complete('repartee', 'wait', '--until', 'l')).toBe('listening');
  expect(complete('repartee', 'wait', '--until', '=', 'l')).toBe('listening');
  expect(complete('repartee', 'wait', '--until', '=')).toContain('listening');
  expect(complete('repartee', 'wait', '--timeout', '')).toBe('');
  expect(complete('repartee', 'send', 'my')).toBe('my-session');
  // A closed session has a recording.
  expect(complete('repartee', 'replay', 'old')).toBe('old-session');
  expect(complete('repartee', 'recordings', 'old')).toBe('old-session');
  expect(complete('repartee', 'send', 'old')).toBe('');
  expect(complete('repartee', 'daemon', 'st')).toBe('start stop status');
});

testWith('fish')('fish completes the same', async () => {
  const cli = ownCli();
  await openAndClose(cli);
  const { script, env } = await prepare(cli, 'fish');
  const complete = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], {
      env,
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .map((choice) => choice.split('\t')[0]);
  expect(complete('repartee re').sort()).toEqual([
    'read',
    'recordings',
    'rename',
    'replay',
    'resize',
  ]);
  expect(complete('repartee wait --until l')).toEqual(['listening']);
  expect(complete('repartee send my')).toEqual(['my-session']);
  expect(complete('repartee replay old')).toEqual(['old-session']);
  expect(complete('repartee daemon sta').sort()).toEqual(['start', 'status']);
});

testWith('zsh', 'tmux')('zsh completes the same', { timeout: 60_000 }, async () => {
  const cli = ownCli();
  await openAndClose(cli);
  const { script, env } = await prepare(cli, 'zsh');
  const { personInTmux } = await import('../../helpers/cli/tmux.ts');
  const person = await personInTmux(env);
  await person.enter("PS1='zsh> ' zsh -f");
  await person.sees(/^zsh>/);
  await person.enter(`autoload -U compinit; compinit -D; source ${script}; echo $((6 * 7))`);
  await person.sees(/^42$/);
  await person.type('repartee send my');
  await person.press('Tab');
  await person.sees(/send my-session/);
  await person.press('C-u');
  await person.type('repartee replay old');
  await person.press('Tab');
  await person.sees(/replay old-session/);
  await person.press('C-u');
  await person.type('repartee wait --until lis');
  await person.press('Tab');
  await person.sees(/--until listening/);
  await person.press('C-u');
  await person.type('repartee wait --until=lis');
  await person.press('Tab');
  await person.sees(/--until=listening/);
});
