/** Runs the demo, with a real client, a real server and real programs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ifDefined } from '../../session/options/if-defined.ts';
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes.ts';
import { textColorsFor } from '../output/colors.ts';
import { formatDuration } from '../output/durations.ts';
import { printJson } from '../output/print-result.ts';
import { DemoClient } from './demo-client.ts';
import { writeDemoPrograms } from './demo-programs.ts';
import {
  type DemoStep,
  type DemoTurn,
  demoMismatch,
  demoSteps,
  isProgramInstalled,
} from './demo-steps.ts';
import {
  demoResultText,
  printDemoCall,
  printDemoLine,
  printDemoResult,
  printDemoTitle,
} from './print-step.ts';

const PASSWORD = 'correct horse battery staple';
/** A pause before each call, so that a person can read along. The printed times leave it out. */
const READING_MS = 450;
const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** One call, for `--json`. */
interface CallReport {
  step: string;
  tool: string;
  args: DemoTurn['args'];
  result: unknown;
  ms: number;
  mismatch?: string;
}

/** Returns the exit code: 1 if any result differs from what the demo expects. */
export const runDemo = async (json: boolean): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-demo-'));
  writeDemoPrograms(folder, PASSWORD);
  const client = new DemoClient([process.execPath, MAIN, 'mcp', '--embedded'], {
    cwd: folder,
    env: {
      ...process.env,
      // The demo opens `node`: this one may not be on the PATH, if it was started by its full path.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
      NODE_REPL_HISTORY: '',
      REPARTEE_SECRET_DEMO: PASSWORD,
    },
  });
  try {
    const calls = await runSteps(client, json);
    if (json) printJson({ turns: calls });
    return calls.every(isExpected) ? EXIT_DONE : EXIT_FAILED;
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const isExpected = (call: CallReport): boolean => call.mismatch === undefined;

const runSteps = async (client: DemoClient, json: boolean): Promise<CallReport[]> => {
  const startedMs = performance.now();
  let readingMs = 0;
  const pause = async () => {
    if (json || !process.stdout.isTTY) return;
    readingMs += READING_MS;
    await delay(READING_MS);
  };
  const { name, version } = await client.connect();
  const tools = await client.tools();
  const paint = textColorsFor(process.stdout);
  if (!json) {
    printDemoLine(
      `${paint.bold('An agent in conversation with programs.')} An MCP client calls the tools`,
    );
    printDemoLine(
      `of \`repartee mcp\` (${name} ${version}, ${tools.length} tools) as an agent would.`,
    );
  }
  const calls: CallReport[] = [];
  const playable = demoSteps.filter(
    ({ needs }) => needs === undefined || isProgramInstalled(needs),
  );
  for (const [at, step] of playable.entries()) {
    if (!json) printDemoTitle(at + 1, step.title);
    for (const turn of step.turns) {
      await pause();
      const call = await runTurn(client, step, turn, json);
      calls.push(call);
      // The other turns of this step rely on this one.
      if (!isExpected(call)) break;
    }
  }
  if (!json) printSummary(calls, performance.now() - startedMs - readingMs);
  return calls;
};

const runTurn = async (
  client: DemoClient,
  step: DemoStep,
  turn: DemoTurn,
  json: boolean,
): Promise<CallReport> => {
  if (!json) printDemoCall(turn);
  const sentMs = performance.now();
  const result = await client.call(turn.tool, turn.args);
  const ms = performance.now() - sentMs;
  const problem = result.isError
    ? demoResultText(result)
    : demoMismatch(turn, result.structuredContent ?? {});
  if (!json) {
    printDemoResult(result, ms);
    if (problem !== undefined)
      printDemoLine(`      ${textColorsFor(process.stdout).red(`unexpected: ${problem}`)}`);
  }
  return {
    step: step.title,
    tool: turn.tool,
    args: turn.args,
    result: result.structuredContent ?? demoResultText(result),
    ms: Math.round(ms),
    ...ifDefined('mismatch', problem),
  };
};

const printSummary = (calls: readonly CallReport[], tookMs: number): void => {
  const paint = textColorsFor(process.stdout);
  const failed = calls.filter((call) => !isExpected(call)).length;
  const count = `${calls.length} calls in ${formatDuration(tookMs)}`;
  printDemoLine();
  if (failed > 0) {
    printDemoLine(paint.red(`${failed} of ${count} came back otherwise than expected.`));
    printDemoLine('`repartee doctor` tells what this machine allows.');
    return;
  }
  printDemoLine(`${paint.bold(count)}, all as expected. Plug it into your agent:`);
  printDemoLine();
  for (const line of setupLines()) printDemoLine(`  ${line}`);
  printDemoLine();
  printDemoLine(
    'Try it by hand: `repartee open --name py python3`, `repartee attach py`, `repartee --help`.',
  );
};

/** How to add us to an agent: through npx if we were installed as a package, else by our path. */
const setupLines = (): string[] => {
  const isInstalled = MAIN.includes(`${join('node_modules', 'repartee')}`);
  const [command, ...args] = isInstalled ? ['npx', '-y', 'repartee', 'mcp'] : ['node', MAIN, 'mcp'];
  const config = { mcpServers: { repartee: { command, args } } };
  return [`claude mcp add repartee -- ${[command, ...args].join(' ')}`, JSON.stringify(config)];
};
