/**
 * Which lines of the package the tests run, in their own processes and in all that they start:
 * daemons, servers, commands. `npm run coverage -- test/keys` counts some of the tests only. A
 * process that is killed takes its count with it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {{ startOffset: number, endOffset: number, count: number }} Range */
/** @typedef {{ url: string, functions: { ranges: Range[] }[] }} Counted */

const built = new URL('../dist/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'repartee-coverage-'));
// What tests start as other users counts too.
chmodSync(folder, 0o777);
try {
  const vitest = ['node_modules/.bin/vitest', 'run', '--config', 'scripts/coverage.config.js'];
  const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, NODE_V8_COVERAGE: folder },
  });
  print(gather());
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** By file: for each character whether any process has run it. */
function gather() {
  /** @type {Map<string, { text: string, ran: Uint8Array }>} */
  const files = new Map();
  for (const name of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(new URL(name, built), 'utf8');
    files.set(name, { text, ran: new Uint8Array(text.length) });
  }
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of countedIn(join(folder, name))) {
      const file = url.startsWith(built.href) && files.get(url.slice(built.href.length));
      if (!file) continue;
      const ran = new Uint8Array(file.text.length);
      // An outer range comes before those within it, which know better.
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges))
        ran.fill(Math.min(1, count), startOffset, endOffset);
      for (let at = 0; at < ran.length; at++) file.ran[at] |= /** @type {number} */ (ran[at]);
    }
  }
  return files;
}

/** A process that was killed while it wrote leaves half a file. @param {string} path */
function countedIn(path) {
  try {
    return /** @type {Counted[]} */ (JSON.parse(readFileSync(path, 'utf8')).result);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** A line has run if all of it has; what has neither code nor a letter does not count. */
/** @param {{ text: string, ran: Uint8Array }} file */
function linesOf({ text, ran }) {
  let at = 0;
  /** @type {number[]} */
  const missed = [];
  let total = 0;
  let isComment = false;
  for (const [index, line] of text.split('\n').entries()) {
    const start = at;
    at += line.length + 1;
    const isCode = /\w/.test(line) && !/^\s*(\/\/|\*|\/\*|export \{\})/.test(line) && !isComment;
    if (/^\s*\/\*/.test(line)) isComment = true;
    if (isComment && line.includes('*/')) isComment = false;
    if (!isCode) continue;
    total++;
    const code = line.trimStart();
    const from = start + line.length - code.length;
    if (ran.subarray(from, start + line.length).includes(0)) missed.push(index + 1);
  }
  return { total, missed };
}

/** @param {ReturnType<typeof gather>} files */
function print(files) {
  let allLines = 0;
  let allMissed = 0;
  const rows = [...files].map(([name, file]) => ({ name, ...linesOf(file) }));
  for (const { name, total, missed } of rows.sort((a, b) => a.name.localeCompare(b.name))) {
    if (total === 0) continue;
    allLines += total;
    allMissed += missed.length;
    console.log(`${name.padEnd(40)} ${share(total, missed.length)}  ${spans(missed)}`);
  }
  console.log(`${'all lines of dist/'.padEnd(40)} ${share(allLines, allMissed)}`);
}

/** @param {number} total @param {number} missed */
function share(total, missed) {
  return `${(100 * (1 - missed / total)).toFixed(1).padStart(5)} %`;
}

/** "3-5,9" @param {readonly number[]} lines */
function spans(lines) {
  /** @type {[number, number][]} */
  const found = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else found.push([line, line]);
  }
  return found.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',');
}
