/**
 * Records the programs of streams.js into test/streams, through our own terminal and screen:
 *
 *   npx tsc -p tsconfig.bench.json && node scripts/record-streams.js [NAME…]
 *
 * By hand, as root (namespaces, apt), with the programs installed. Each program sees a machine
 * called "box", its own processes only, and a folder made anew; a recording that holds anything of
 * this machine is refused. Each screen is also drawn by tmux, and where tmux differs it is said.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname, tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Screen } from '../build/src/screen/screen.js';
import { openPty } from '../build/src/system/terminal/pty.js';
import { makeScreenView } from '../build/src/views/screen.js';
import { makeFiles } from './stream-files.js';
import { streams } from './streams.js';

const FOLDER = '/tmp/demo';
const target = new URL('../test/streams/', import.meta.url).pathname;

/** Files, an index of wheels, and a registry of packages; all take their time. */
const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://x');
  const name = basename(pathname);
  if (pathname === '/') {
    response.setHeader('content-type', 'text/html');
    return response.end('<a href="demo-1.0-py3-none-any.whl">demo</a>');
  }
  if (pathname.startsWith('/registry/')) {
    await sleep(200 + 150 * Number(name.at(-1)));
    const tarball = `http://127.0.0.1:${server.address().port}/${name}.tgz`;
    const version = { name, version: '1.0.0', dist: { tarball } };
    const versions = { '1.0.0': version };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions }));
  }
  const bytes = readFileSync(join(FOLDER, name));
  response.setHeader('content-length', bytes.length);
  // A meter of curl's moves once a second, so it takes a minute to see it work.
  const pieces = { 'big.bin': 700, 'small.bin': 200 }[name] ?? (name.endsWith('.whl') ? 150 : 1);
  const size = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await sleep(100);
  }
  response.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

async function record({ name, run, steps, cols = 80, rows = 24 }) {
  rmSync(FOLDER, { recursive: true, force: true });
  makeFiles(FOLDER);
  const recording = new Recording(cols, rows);
  try {
    await recording.open(run);
    for (const step of steps) await recording.take(step);
  } finally {
    await recording.close();
  }
  const header = { run, cols, rows };
  const { events } = recording;
  refuseTraces(JSON.stringify(events));
  const body = [header, ...events].map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(join(target, `${name}.jsonl`), `${body}\n`);
  const note = tmuxDiffers(header, events) ? ', tmux differs' : '';
  console.log(`${name}: ${recording.screen.position} bytes${note}`);
}

class Recording {
  events = [];
  screen;
  #pty;
  #output = [];
  #lastOutput = Date.now();
  #lastInput = 0;

  constructor(cols, rows) {
    const reply = (answer) => this.#pty.write(answer).catch(() => {});
    this.screen = new Screen({ cols, rows, reply });
  }

  async open(run) {
    const { cols, rows } = this.screen.modes;
    const onOutput = (bytes) => {
      this.#lastOutput = Date.now();
      this.#output.push(Buffer.from(bytes));
      this.screen.write(bytes);
    };
    this.#pty = await openPty({ ...isolated(run), cols, rows, cwd: FOLDER, onOutput });
  }

  async close() {
    await this.#pty?.close({ force: true });
    this.#flush();
  }

  async take(step) {
    if (typeof step === 'string') await this.#type(step);
    else if (step.see !== undefined) await this.#see(step.see);
    else if (step.still !== undefined) await sleep(step.still);
    else if (step.size !== undefined) await this.#resize(...step.size);
    else if (step.end)
      await Promise.race([this.#pty.ended, sleep(120_000, undefined, { ref: false })]);
    else await this.#look();
  }

  async #type(text) {
    await this.#still();
    this.#flush();
    this.events.push({ input: text });
    this.#lastInput = Date.now();
    // Arrow keys as the program asked for them.
    const { applicationCursor } = this.screen.modes;
    await this.#pty.write(applicationCursor ? text.replace(/\x1b\[([A-D])/g, '\x1bO$1') : text);
  }

  async #see(wanted) {
    const shown = () => makeScreenView(this.screen).lines.join('\n');
    for (let tries = 0; !shown().includes(wanted); tries++, await sleep(20)) {
      if (tries > 500) throw new Error(`never showed "${wanted}":\n${shown()}`);
    }
  }

  async #resize(cols, rows) {
    await this.#still();
    this.#flush();
    this.events.push({ resize: { cols, rows } });
    this.#lastInput = Date.now();
    this.screen.resize(cols, rows);
    this.#pty.resize({ cols, rows });
  }

  async #look() {
    if (this.#pty.exit === undefined) await this.#still();
    this.#flush();
    const { lines, cursor } = makeScreenView(this.screen);
    this.events.push({ screen: lines, cursor: { col: cursor.col, row: cursor.row } });
  }

  /** Until the program has answered what was typed and then paused, or for long enough. */
  async #still() {
    for (const until = Date.now() + 4000; Date.now() < until; await sleep(20)) {
      const hasAnswered = this.#lastOutput > this.#lastInput || Date.now() - this.#lastInput > 1500;
      if (hasAnswered && Date.now() - this.#lastOutput > 400) return;
    }
  }

  #flush() {
    const bytes = Buffer.concat(this.#output);
    const text = bytes.toString();
    if (!Buffer.from(text).equals(bytes)) throw new Error('output that is not UTF-8');
    if (text !== '') this.events.push({ output: text });
    this.#output = [];
  }
}

/** A process and host namespace of its own: what top and htop list is the same everywhere. */
function isolated(run) {
  return {
    program: '/usr/bin/unshare',
    args: ['--uts', '--fork', '--pid', '--mount-proc', 'sh', '-c', `hostname box; ${run}`],
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin:/usr/games',
      HOME: FOLDER,
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      LANG: 'C.UTF-8',
      PS1: '$ ',
      USER: 'demo',
      PORT: String(server.address().port),
      NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    },
  };
}

function refuseTraces(recording) {
  const traces = [hostname(), userInfo().homedir, process.cwd(), '://', '.com', '.net', 'registry'];
  for (const trace of traces) {
    const at = recording.replaceAll('://127.0.0.1', '').indexOf(trace);
    if (at !== -1) throw new Error(`holds "${trace}": …${recording.slice(at - 40, at + 40)}`);
  }
}

/** Draws everything up to the last expected screen in tmux as well, and compares. */
function tmuxDiffers({ cols, rows }, events) {
  const last = events.findLastIndex((event) => event.screen);
  if (last === -1 || events.some((event) => event.resize)) return false;
  const folder = mkdtempSync(join(tmpdir(), 'tmux-'));
  const file = join(folder, 'output');
  const output = events
    .slice(0, last)
    .map((event) => event.output ?? '')
    .join('');
  writeFileSync(file, output);
  const socket = join(folder, 'socket');
  const tmux = (...args) =>
    execFileSync('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  tmux(
    'new-session',
    '-d',
    '-x',
    String(cols),
    '-y',
    String(rows),
    `stty raw -echo; cat ${file}; sleep 9`,
    ';',
    'set',
    '-g',
    'status',
    'off',
  );
  execFileSync('sleep', ['0.7']);
  const shown = tmux('capture-pane', '-p')
    .split('\n')
    .map((line) => line.trimEnd());
  tmux('kill-server');
  rmSync(folder, { recursive: true });
  while (shown.at(-1) === '') shown.pop();
  const expected = events[last].screen;
  const differs =
    expected.some((line, row) => line !== (shown[row] ?? '')) || shown.length !== expected.length;
  if (differs) {
    for (const [row, line] of expected.entries()) {
      if (line !== (shown[row] ?? ''))
        console.log(`  ${row} ours: ${line}\n  ${row} tmux: ${shown[row]}`);
    }
  }
  return differs;
}

const wanted = process.argv.slice(2);
for (const stream of streams) {
  if (wanted.length > 0 && !wanted.includes(stream.name)) continue;
  await record(stream).catch((error) => console.error(`${stream.name}: ${error.message}`));
}
server.close();
server.closeAllConnections();
