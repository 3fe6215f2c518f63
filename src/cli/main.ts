#!/usr/bin/env node
/** The command line. The only place that prints errors and exits. */
import { demo } from './demo.ts';

const commands: Record<string, (() => Promise<void>) | undefined> = { demo };

const [name = ''] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  console.error(`Usage: repartee ${Object.keys(commands).join('|')}`);
  process.exitCode = 2;
} else {
  try {
    await command();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
