/** One home with a client in it, set up as a user would: by the README's own line. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { HOME } from './enclosure.js';
import { editFile } from './files.js';
import { folderOf, nodeFolder, root } from './install.js';
import { ScriptedModel } from './model/scripted-model.js';
import { ModelServer } from './model/server.js';
import { processes } from './processes.js';

const SECRET = 'correct-horse-battery';

export class Workplace {
  #server = new ModelServer();
  #models = 0;
  #url = '';

  constructor(kind) {
    this.kind = kind;
    this.home = HOME;
    this.cwd = join(HOME, 'project');
    this.secret = SECRET;
  }

  /** `npx -y repartee` is this checkout, as it is what npx finds installed in the folder. */
  async setUp() {
    this.#url = await this.#server.listen();
    mkdirSync(join(this.cwd, 'node_modules/.bin'), { recursive: true });
    symlinkSync(root, join(this.cwd, 'node_modules/repartee'));
    symlinkSync('../repartee/dist/cli/main.js', join(this.cwd, 'node_modules/.bin/repartee'));
    editFile(join(this.home, '.config/repartee/secrets/login'), () => `${SECRET}\n`);
    writeFileSync(
      join(this.cwd, 'login.sh'),
      'stty -echo; printf "Password for ada: "; read -r word; stty echo; echo; echo "Welcome, ada. $word"\n',
    );
    const [command, ...args] = configurationLine(this.kind);
    execFileSync(command, args, { cwd: this.cwd, env: this.#env(), stdio: 'pipe' });
    this.kind.prepare({ home: this.home, cwd: this.cwd, url: this.#url });
  }

  /** Starts the client without a person. `how`: `resumed` with its last conversation, or `unallowed`. */
  async start(how = 'headless') {
    const { model, prompt } = this.#addModel();
    const { kind, cwd } = this;
    const args = kind[how](prompt);
    const child = spawn(kind.bin, args, {
      cwd,
      env: this.#env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk;
      });
    const ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        model.fail(new Error(`${kind.bin} ended (${code ?? signal}): ${printed.slice(-400)}`));
        resolve(code ?? signal);
      });
    });
    return { model, ended };
  }

  /** What to start in a terminal, and what to type there. */
  inTerminal() {
    const { kind, cwd } = this;
    return {
      ...this.#addModel(),
      command: [kind.bin, ...kind.interactive],
      cwd,
      env: this.#env(),
    };
  }

  /** Not those that it has started: the server, and what belongs to Repartee. */
  clientProcesses() {
    return processes().filter(
      ({ command }) =>
        command.includes(folderOf(this.kind)) || command.startsWith(`${this.kind.bin} `),
    );
  }

  #addModel() {
    const mark = `(agent ${++this.#models})`;
    const model = new ScriptedModel(mark);
    this.#server.add(model);
    return { model, prompt: `Use the terminals ${mark}.` };
  }

  #env() {
    const path = [
      join(folderOf(this.kind), 'node_modules/.bin'),
      nodeFolder,
      process.env.PATH,
    ].join(delimiter);
    return { ...process.env, PWD: this.cwd, PATH: path, ...this.kind.env(this.#url) };
  }
}

/** The first command in the README's row for this client; `setup` asks unless it is told not to. */
export const configurationLine = ({ title, name }) => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const row = readme.split('\n').find((line) => line.startsWith('| ') && line.includes(title));
  const [, line] = /\| `([^`]+)`/.exec(row);
  const words = line.split(' ');
  return words.includes('setup') ? [...words.slice(0, -1), name, '--yes'] : words;
};
