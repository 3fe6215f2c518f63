/** One home with a client in it, set up as a user would: by the README's own line. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { HOME } from './enclosure.js';
import { editFile } from './files.js';
import { folderOf, nodeFolder, root } from './install.js';
import { ScriptedModel } from './model/scripted-model.js';

const PROMPT = 'Use the terminals.';
const SECRET = 'correct-horse-battery';

export class Workplace {
  #running = new Set();

  constructor(kind) {
    this.kind = kind;
    this.home = HOME;
    this.cwd = join(HOME, 'project');
    this.secret = SECRET;
  }

  /** `npx -y repartee` is this checkout, as it is what npx finds installed in the folder. */
  setUp() {
    mkdirSync(join(this.cwd, 'node_modules/.bin'), { recursive: true });
    symlinkSync(root, join(this.cwd, 'node_modules/repartee'));
    symlinkSync('../repartee/dist/cli/main.js', join(this.cwd, 'node_modules/.bin/repartee'));
    editFile(join(this.home, '.config/repartee/secrets/login'), () => `${SECRET}\n`);
    writeFileSync(
      join(this.cwd, 'login.sh'),
      'stty -echo; printf "Password for ada: "; read -r word; stty echo; echo; echo "Welcome, ada. $word"\n',
    );
    const [command, ...args] = configurationLine(this.kind);
    execFileSync(command, args, { cwd: this.cwd, env: this.#env(''), stdio: 'pipe' });
  }

  /** A model, and the client's configuration to use it. */
  async startModel() {
    const model = new ScriptedModel();
    const url = await model.listen();
    const { home, cwd } = this;
    this.kind.prepare({ home, cwd, url, edit: editFile });
    return { model, url };
  }

  /** Starts the client without a person. `isResumed`: it goes on with its last conversation. */
  async start({ isResumed = false } = {}) {
    const { model, url } = await this.startModel();
    const args = isResumed ? this.kind.resumed(PROMPT) : this.kind.headless(PROMPT);
    const child = spawn(this.kind.bin, args, {
      cwd: this.cwd,
      env: this.#env(url),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk;
      });
    const ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.#running.delete(child);
        model.fail(new Error(`${this.kind.bin} ended (${code ?? signal}): ${printed.slice(-400)}`));
        resolve(code ?? signal);
      });
    });
    this.#running.add(child);
    return { model, child, ended };
  }

  /** What to start in a terminal. */
  async interactiveCommand() {
    const { model, url } = await this.startModel();
    const command = [this.kind.bin, ...this.kind.interactive];
    return { model, command, cwd: this.cwd, env: this.#env(url) };
  }

  #env(url) {
    const path = [
      join(folderOf(this.kind), 'node_modules/.bin'),
      nodeFolder,
      process.env.PATH,
    ].join(delimiter);
    return { ...process.env, PATH: path, ...this.kind.env(url), NO_PROXY: '127.0.0.1' };
  }
}

/** The first command in the README's row for this client; `setup` asks unless it is told not to. */
const configurationLine = ({ title, name }) => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const row = readme.split('\n').find((line) => line.startsWith('| ') && line.includes(title));
  const [, line] = /\| `([^`]+)`/.exec(row);
  const words = line.split(' ');
  return words.includes('setup') ? [...words.slice(0, -1), name, '--yes'] : words;
};
