/** Holds the conversation of the demo: a real client, a real server, real programs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DONE, FAILED } from '../exit-codes.ts';
import { colorsFor, formatDuration } from '../output/colors.ts';
import { printJson } from '../output/print-result.ts';
import { DemoClient } from './client.ts';
import { printAnswer, printLine, printSent, printTitle, resultTextOf } from './print-step.ts';
import { bringPrograms } from './programs.ts';
import { type DemoStep, type DemoTurn, isThere, mismatch, steps } from './steps.ts';

const PASSWORD = 'correct horse battery staple';
/** So that a person can read along; no part of any time that is printed. */
const READING_MS = 450;
const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

interface Told {
  step: string;
  tool: string;
  args: DemoTurn['args'];
  result: unknown;
  ms: number;
  mismatch?: string;
}

/** Returns the exit code: 1 where anything came back otherwise than the demo says. */
export const runDemo = async (json: boolean): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-demo-'));
  bringPrograms(folder, PASSWORD);
  const client = new DemoClient([process.execPath, MAIN, 'mcp', '--embedded'], {
    cwd: folder,
    env: {
      ...process.env,
      // Whoever runs the demo may have started node by its path.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
      NODE_REPL_HISTORY: '',
      REPARTEE_SECRET_DEMO: PASSWORD,
    },
  });
  try {
    const told = await hold(client, json);
    const failed = told.filter((turn) => turn.mismatch !== undefined);
    if (json) printJson({ turns: told });
    return failed.length === 0 ? DONE : FAILED;
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const hold = async (client: DemoClient, json: boolean): Promise<Told[]> => {
  const startedMs = performance.now();
  let readingMs = 0;
  const pause = async () => {
    if (json || !process.stdout.isTTY) return;
    readingMs += READING_MS;
    await delay(READING_MS);
  };
  const { name, version } = await client.connect();
  const tools = await client.tools();
  const paint = colorsFor(process.stdout);
  if (!json) {
    printLine(
      `${paint.bold('An agent in conversation with programs.')} An MCP client calls the tools`,
    );
    printLine(`of \`repartee mcp\` (${name} ${version}, ${tools.length} tools) as an agent would.`);
  }
  const told: Told[] = [];
  for (const [at, step] of playable().entries()) {
    if (!json) printTitle(at + 1, step.title);
    for (const turn of step.turns) {
      await pause();
      const turned = await take(client, step, turn, json);
      told.push(turned);
      // What comes after it in this step relies on it.
      if (turned.mismatch !== undefined) break;
    }
  }
  if (!json) tellEnd(told, performance.now() - startedMs - readingMs);
  return told;
};

const playable = (): DemoStep[] =>
  steps.filter(({ needs }) => needs === undefined || isThere(needs));

const take = async (
  client: DemoClient,
  step: DemoStep,
  turn: DemoTurn,
  json: boolean,
): Promise<Told> => {
  if (!json) printSent(turn);
  const sentMs = performance.now();
  const result = await client.call(turn.tool, turn.args);
  const ms = performance.now() - sentMs;
  const wrong = result.isError
    ? resultTextOf(result)
    : mismatch(turn, result.structuredContent ?? {});
  if (!json) {
    printAnswer(result, ms);
    if (wrong !== undefined)
      printLine(`      ${colorsFor(process.stdout).red(`unexpected: ${wrong}`)}`);
  }
  return {
    step: step.title,
    tool: turn.tool,
    args: turn.args,
    result: result.structuredContent ?? resultTextOf(result),
    ms: Math.round(ms),
    ...(wrong !== undefined && { mismatch: wrong }),
  };
};

const tellEnd = (told: readonly Told[], tookMs: number): void => {
  const paint = colorsFor(process.stdout);
  const failed = told.filter((turn) => turn.mismatch !== undefined).length;
  const count = `${told.length} calls in ${formatDuration(tookMs)}`;
  printLine();
  if (failed > 0) {
    printLine(paint.red(`${failed} of ${count} came back otherwise than expected.`));
    printLine('`repartee doctor` tells what this machine allows.');
    return;
  }
  printLine(`${paint.bold(count)}, all as expected. Plug it into your agent:`);
  printLine();
  for (const line of howToPlug()) printLine(`  ${line}`);
  printLine();
  printLine(
    'Try it by hand: `repartee open --name py python3`, `repartee attach py`, `repartee --help`.',
  );
};

/** From the registry where it was installed from there, else by the path of this very program. */
const howToPlug = (): string[] => {
  const isInstalled = MAIN.includes(`${join('node_modules', 'repartee')}`);
  const [command, ...args] = isInstalled ? ['npx', '-y', 'repartee', 'mcp'] : ['node', MAIN, 'mcp'];
  const config = { mcpServers: { repartee: { command, args } } };
  return [`claude mcp add repartee -- ${[command, ...args].join(' ')}`, JSON.stringify(config)];
};
