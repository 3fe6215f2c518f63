/**
 * `npm run busy`: the whole suite again and again while the machine is busy, since a test that fails
 * only then is wrong too. `--runs 10 --at-once 3 --commit HEAD --log FILE`.
 *
 * Each run has a clone of the commit of its own, and several run at once, so that they keep every
 * processor busy; on top of them `--burners N` processes do nothing but compute. Each finished run is
 * a line of the log. A run that was stopped goes on there: lines of the same commit count.
 */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    'at-once': { type: 'string', default: '3' },
    burners: { type: 'string', default: '0' },
    commit: { type: 'string', default: 'HEAD' },
    log: { type: 'string', default: join(root, 'docs/internals/busy-runs.jsonl') },
  },
});
const git = (...args) => spawnSync('git', args, { cwd: root }).stdout.toString().trim();
const commit = git('rev-parse', '--short', values.commit);
if (git('status', '--porcelain', '--untracked-files=no') !== '')
  console.error('Uncommitted changes are not part of what is run: clones of HEAD are.');

const finished = () =>
  (existsSync(values.log) ? readFileSync(values.log, 'utf8') : '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter((run) => run.commit === commit);

const run = (name, args, cwd, onOutput = () => {}) =>
  new Promise((resolve) => {
    const child = spawn(name, args, { cwd, env: { ...process.env, CI: 'true', NO_COLOR: '1' } });
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    child.on('close', resolve);
  });

/** What differs from what was expected, without the equal lines around it. */
const changedLines = (text) =>
  text
    .split('\n')
    .filter((line) => /^\s*[-+] /.test(line))
    .slice(0, 12);

const runSuite = async (folder) => {
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const loads = [];
  const sampler = setInterval(() => loads.push(loadavg()[0]), 15_000);
  let printed = '';
  const code = await run('npx', ['vitest', 'run'], folder, (chunk) => {
    printed += chunk;
  });
  clearInterval(sampler);
  const [, tests = 'no summary'] = /^\s*Tests\s+(.*)$/m.exec(printed) ?? [];
  const failures = [
    ...printed.matchAll(/^\s*FAIL\s+(.*)\n(.*)$([\s\S]*?)(?=❯|FAIL|$(?![\s\S]))/gm),
  ].map(([, title, message, rest]) => [`${title}: ${message}`, ...changedLines(rest)].join('\n'));
  // The first minute's average still tells of the time before.
  const load = loads.slice(4).toSorted((one, other) => one - other);
  return {
    commit,
    startedAt,
    seconds: Math.round((performance.now() - started) / 1000),
    processors: cpus().length,
    load: { least: load[0], median: load[Math.floor(load.length / 2)] },
    passed: code === 0,
    tests,
    failures: [...new Set(failures)],
  };
};

const clone = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-busy-'));
  // Other users start programs from it, in some tests.
  spawnSync('chmod', ['755', folder]);
  await run('git', ['clone', '--quiet', root, folder], root);
  await run('git', ['checkout', '--quiet', commit], folder);
  await run('cp', ['-r', join(root, 'node_modules'), folder], root);
  await run('npm', ['run', 'build'], folder);
  return folder;
};

const wanted = Number(values.runs);
const burners = Array.from({ length: Number(values.burners) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
let begun = finished().length;
const worker = async () => {
  const folder = await clone();
  try {
    while (begun < wanted) {
      const number = ++begun;
      const result = await runSuite(folder);
      appendFileSync(values.log, `${JSON.stringify(result)}\n`);
      const { passed, seconds, tests, load, failures } = result;
      console.log(
        `${number}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s, load ${load.least?.toFixed(1)} and more: ${tests}`,
      );
      for (const failure of failures) console.log(`   ${failure}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
await Promise.all(Array.from({ length: Number(values['at-once']) }, worker));
for (const burner of burners) burner.kill();
const runs = finished();
const passed = runs.filter((each) => each.passed).length;
console.log(`${passed} passed, ${runs.length - passed} failed`);
process.exitCode = passed >= wanted ? 0 : 1;
