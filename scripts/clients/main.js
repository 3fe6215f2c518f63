/**
 * `npm run clients [-- --only CLIENT] [--scenario NAME] [--log FOLDER]`: real clients, with a scripted
 * model, use Repartee as built. Prints a table of clients and scenarios.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runEnclosed } from './enclosure.js';
import { installClient, installNode } from './install.js';
import { kinds } from './kinds/kinds.js';
import { scenarios } from './scenarios/scenarios.js';
import { printTable } from './table.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    scenario: { type: 'string', multiple: true },
    log: { type: 'string' },
  },
});
const isAsked = (list, name) => list === undefined || list.includes(name);
const wanted = scenarios.filter(({ name }) => isAsked(values.scenario, name));
if (values.log) mkdirSync(values.log, { recursive: true });

const install = async (kind) => {
  try {
    return { kind, version: await installClient(kind) };
  } catch (error) {
    return { kind, reason: error.message };
  }
};

const runOne = async ({ kind, version, reason }, { name, limitMs }) => {
  if (reason) return { outcome: 'cannot', detail: `not installed: ${reason}` };
  const log = values.log && join(resolve(values.log), `${kind.name}-${name}.log`);
  const startedMs = performance.now();
  const result = await runEnclosed(kind, name, { limitMs, log });
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  process.stderr.write(
    `${kind.title} ${version}: ${name}: ${result.outcome} (${seconds} s) ${result.detail ?? ''}\n`,
  );
  return result;
};

await installNode();
const clients = [];
for (const kind of kinds.filter(({ name }) => isAsked(values.only, name)))
  clients.push(await install(kind));

/** Those that only wait run beside each other; the others one after another, for the processors' sake. */
const results = new Map();
const runAll = async (client, some) => {
  for (const scenario of some)
    results.set(`${client.kind.name} ${scenario.name}`, await runOne(client, scenario));
};
const waiting = clients.flatMap((client) =>
  wanted.filter(({ isLong }) => isLong).map((scenario) => runAll(client, [scenario])),
);
for (const client of clients)
  await runAll(
    client,
    wanted.filter(({ isLong }) => !isLong),
  );
await Promise.all(waiting);
const failures = printTable(clients, wanted, results);
process.exitCode = failures === 0 ? 0 : 1;
