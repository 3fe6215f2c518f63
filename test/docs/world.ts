/**
 * The machine of whoever reads a page and does what it says: Ada, with a home, a daemon of her own,
 * `repartee` installed in it, and the files and programs that pages speak of. Where a page needs what
 * not every machine has (a password of sudo's, a database), a stand-in asks as the real one does.
 */
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MAIN } from '../helpers/cli/own-cli.ts';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { root } from './pages.ts';

const programs: Readonly<Record<string, string>> = {
  repartee: `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`,
  install: '#!/bin/bash\nread -rp "Go on? [Y/n] " answer\necho Done.\n',
  sudo: '#!/bin/bash\nread -rsp "[sudo] password for ada: " password\necho\n',
  psql: `#!/usr/bin/env python3
while True:
    try:
        line = input('shop=> ')
    except KeyboardInterrupt:
        print('^C')
        continue
    except EOFError:
        break
    if line in ('exit', 'quit', '\\\\q'):
        break
    print(' ?column? \\n----------\\n        1\\n(1 row)\\n')
`,
};

const files: Readonly<Record<string, string>> = {
  'package.json': '{ "scripts": { "test": "echo all is well" } }\n',
  Makefile: 'all:\n\t@echo built\n',
  'server.js': `require('node:http').createServer().listen(0, '127.0.0.1');\n`,
  'notes.txt': 'Buy bread.\n',
  'shop/package.json': '{ "name": "shop", "version": "1.2.0" }\n',
  // Completions are written into folders that a shell's users have.
  '.local/share/bash-completion/completions/others': '',
  '.config/fish/completions/others.fish': '',
  '.zfunc/_others': '',
};

export interface World {
  home: string;
  env: Record<string, string>;
  /** What a program said, as Ada sees it. */
  told(output: string): string;
  /** A line of a shell; both its streams in the order in which they were written. */
  shell(line: string): Promise<{ code: number | null; output: string }>;
}

export const world = (): World => {
  const daemon = ownDaemon();
  const home = join(daemon.folder, 'home');
  for (const [name, text] of Object.entries(files)) write(join(home, name), text);
  const bin = join(home, 'bin');
  for (const [name, text] of Object.entries(programs)) {
    write(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  copyFileSync(join(root, 'docs/demo.cast'), join(home, 'demo.cast'));
  // As `npm install repartee` leaves it, so that npx and import find it and no registry is asked.
  mkdirSync(join(home, 'node_modules/.bin'), { recursive: true });
  symlinkSync(root, join(home, 'node_modules/repartee'));
  symlinkSync(join(bin, 'repartee'), join(home, 'node_modules/.bin/repartee'));
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    USER: 'ada',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    NO_COLOR: '1',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    REPARTEE_SECRET_SUDO: 'correct-horse',
    ...daemon.env,
  };
  return {
    home,
    env,
    told: (output) => output.replaceAll(home, '/home/ada'),
    shell: (line) => shell(line, home, env),
  };
};

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const shell = (
  line: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['-c', `exec 2>&1\n${line}`], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 30_000,
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
