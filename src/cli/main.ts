#!/usr/bin/env node
/** The command line. The only place that prints errors and exits. */
import type { Command } from './command.ts';
import { UsageError } from './usage.ts';

/** Loaded only when asked for: a server must not wait for what a demo needs. */
const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  mcp: () => import('./mcp.ts'),
  skill: () => import('./skill.ts'),
  demo: () => import('./demo.ts'),
};

const usage = async (): Promise<string> => {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const lines = all.map(({ command }) => `  ${command.name.padEnd(8)}${command.summary}`);
  return ['Usage: repartee COMMAND', ...lines].join('\n');
};

const main = async ([name = '', ...args]: readonly string[]): Promise<number> => {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) {
    const isHelp = name === '--help' || name === 'help';
    (isHelp ? console.log : console.error)(await usage());
    return isHelp ? 0 : 2;
  }
  const { command } = await load();
  const shown = `Usage: repartee ${command.name} ${command.usage}`.trimEnd();
  if (args.includes('--help')) {
    console.log(`${shown}\n${command.summary}`);
    return 0;
  }
  try {
    return (await command.run(args)) ?? 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n${shown}`);
    return 2;
  }
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
