#!/usr/bin/env node
/** The command line. The only place that prints errors and exits. */
import { commands } from './command-list.ts';
import { FAILED, WRONG_USAGE } from './exit-codes.ts';
import { splitAtDashes } from './parse-args.ts';

const options = ['--help', '--version'];

/** Where what we have to say cannot be said. */
let failedCode = FAILED;

const main = async ([name = '', ...args]: readonly string[]): Promise<number> => {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) return withoutCommand(name, args);
  const command = await load();
  failedCode = command.failedCode ?? FAILED;
  const own = command.own?.(args) ?? splitAtDashes(args).before;
  if (own.includes('--help') || own[0] === '-h') {
    const { helpOf } = await import('./output/help.ts');
    console.log(helpOf(command));
    return 0;
  }
  try {
    return (await command.run(args)) ?? 0;
  } catch (error) {
    const { exitCodeForError, printError } = await import('./output/print-error.ts');
    const { usageOf } = await import('./output/help.ts');
    printError(error, usageOf(command), own.includes('--json'));
    return exitCodeForError(error, command);
  }
};

const withoutCommand = async (name: string, args: readonly string[]): Promise<number> => {
  if (name === '--version' || name === '-V') {
    const { VERSION } = await import('../daemon/protocol/version.ts');
    console.log(VERSION);
    return 0;
  }
  if (name === 'help' && args[0] !== undefined) return main([args[0], '--help']);
  const { overview } = await import('./output/help.ts');
  const isHelp = ['--help', '-h', 'help'].includes(name);
  if (isHelp) console.log(await overview());
  else if (name === '') console.error(await overview());
  else {
    const { nearest } = await import('../keys/nearest.ts');
    const isOption = name.startsWith('-');
    const meant =
      name === '-v'
        ? '-V'
        : nearest(name, isOption ? options : [...Object.keys(commands), ...options]);
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    const order = isOption ? ' Options come after the command.' : '';
    console.error(
      `repartee: There is no command "${name}".${hint}${order} \`repartee --help\` lists them.`,
    );
  }
  return isHelp ? 0 : WRONG_USAGE;
};

// Whoever reads our output may have read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  // A full disk, say: what was to be told is lost.
  console.error(`repartee: The output cannot be written: ${error.message}`);
  process.exit(failedCode);
});

// Remarks for whoever looks on. Nobody does, and what was asked for is done all the same.
process.stderr.on('error', () => {});

process.exitCode = await main(process.argv.slice(2));
