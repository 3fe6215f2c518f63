#!/usr/bin/env node
/** The command line. This is the only file that prints errors and exits. */
import { commandLoaders } from './command-list.ts';
import { EXIT_FAILED, EXIT_WRONG_USAGE } from './exit-codes.ts';
import { ownArgs } from './parse-args.ts';

const options = ['--help', '--version'];

/** The exit code when standard output cannot be written. */
let failureCode = EXIT_FAILED;

const main = async ([name = '', ...args]: readonly string[]): Promise<number> => {
  const load = Object.hasOwn(commandLoaders, name) ? commandLoaders[name] : undefined;
  if (load === undefined) return withoutCommand(name, args);
  const command = await load();
  failureCode = command.failureCode ?? EXIT_FAILED;
  const own = ownArgs(command, args);
  if (own.includes('--help') || own[0] === '-h') {
    const { commandHelp } = await import('./output/help.ts');
    console.log(commandHelp(command));
    return 0;
  }
  try {
    return (await command.run(args)) ?? 0;
  } catch (error) {
    const { exitCodeForError, printError } = await import('./output/print-error.ts');
    const { usageLine } = await import('./output/help.ts');
    printError(error, usageLine(command), own.includes('--json'));
    return exitCodeForError(error, command);
  }
};

const withoutCommand = async (name: string, args: readonly string[]): Promise<number> => {
  if (name === '--version' || name === '-V') {
    const { PACKAGE_VERSION } = await import('../package-version.ts');
    console.log(PACKAGE_VERSION);
    return 0;
  }
  if (name === 'help' && args[0] !== undefined) return main([args[0], '--help']);
  const { commandOverview } = await import('./output/help.ts');
  const isHelp = ['--help', '-h', 'help'].includes(name);
  if (isHelp) console.log(await commandOverview());
  else if (name === '') console.error(await commandOverview());
  else {
    const { nearestWord } = await import('../nearest-word.ts');
    const isOption = name.startsWith('-');
    const suggestion =
      name === '-v'
        ? '-V'
        : nearestWord(name, isOption ? options : [...Object.keys(commandLoaders), ...options]);
    const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
    const orderHint = isOption ? ' Options come after the command.' : '';
    console.error(
      `repartee: There is no command "${name}".${hint}${orderHint} \`repartee --help\` lists them.`,
    );
  }
  return isHelp ? 0 : EXIT_WRONG_USAGE;
};

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader has closed the pipe, as `head` does. That is no failure.
  if (error.code === 'EPIPE') process.exit();
  // The output is lost, for example because the disk is full.
  console.error(`repartee: The output cannot be written: ${error.message}`);
  process.exit(failureCode);
});

// Standard error only has remarks for a person: the command has done its work without them.
process.stderr.on('error', () => {});

process.exitCode = await main(process.argv.slice(2));
