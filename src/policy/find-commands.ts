/** Finds every command that a command line would run, also behind `sudo`, `env`, `sh -c`, `find -exec`. */
import { parseShell } from './parse-shell.ts';
import { knownWord, type ShellScript, type SimpleCommand, type Word } from './shell-script.ts';
import { shells, wrappers } from './wrappers.ts';

export interface FoundCommand {
  /** Its words without quotes, the program without its folder, then redirections. */
  text: string;
  /** Undefined if only the shell can know which program it is. */
  program: string | undefined;
  /** A pipeline as a whole; its commands are found, too. */
  isPipeline?: true;
}

export interface FoundCommands {
  commands: readonly FoundCommand[];
  isUnfinished: boolean;
  /** A person's shell would put something from its history here. */
  usesHistory: boolean;
}

/** `sh -c "sh -c …"` of this depth is nobody's command line. */
const MAX_DEPTH = 10;

export const findCommandsInScript = (text: string): FoundCommands => {
  const script = parseShell(text);
  const { isUnfinished, usesHistory } = script;
  return { commands: commandsOf(script, 0), isUnfinished, usesHistory };
};

export const findCommandsInArguments = (command: readonly string[]): FoundCommands => {
  const words = command.map(knownWord);
  const commands = behind({ words, redirections: [] }, undefined, 0);
  return { commands, isUnfinished: false, usesHistory: false };
};

const commandsOf = ({ pipelines }: ShellScript, depth: number): FoundCommand[] =>
  pipelines.flatMap((pipeline) => {
    const found = pipeline.flatMap((command, at) => behind(command, pipeline[at - 1], depth));
    if (pipeline.length < 2) return found;
    const text = pipeline.map((command) => describeCommand(command).text).join(' | ');
    return [...found, { text, program: describeCommand(pipeline[0]!).program, isPipeline: true }];
  });

const inScript = (text: string, depth: number): FoundCommand[] =>
  depth >= MAX_DEPTH ? [unknownCommand(text)] : commandsOf(parseShell(text), depth + 1);

const unknownCommand = (text: string): FoundCommand => ({ text, program: undefined });

/** The command itself, and those that it runs. `before`: the one whose output it gets. */
const behind = (
  command: SimpleCommand,
  before: SimpleCommand | undefined,
  depth: number,
): FoundCommand[] => {
  const { words } = command;
  if (words.length === 0) return [];
  const own = describeCommand(command);
  if (depth >= MAX_DEPTH) return [own, unknownCommand(own.text)];
  const rest = words.slice(1);
  const next = (inner: readonly Word[]): FoundCommand[] =>
    behind({ ...command, words: withoutAssignments(inner) }, before, depth + 1);
  const nested = (inner: readonly Word[]): FoundCommand[] => {
    const found = inScript(inner.map(({ text }) => text).join(' '), depth);
    return inner.some(({ unknownUntil }) => unknownUntil > 0)
      ? [...found, unknownCommand(own.text)]
      : found;
  };
  const { program = '' } = own;
  if (shells.has(program)) return [own, ...inShell(command, before, nested, depth)];
  switch (program) {
    case 'eval':
      return [own, ...nested(rest)];
    case 'trap':
    case 'alias':
      return [own, ...rest.flatMap((word) => nested([afterEquals(word)]))];
    case 'su':
    case 'script':
    case 'flock':
    case 'runuser':
      if (optionValue(rest, '-c', '--command'))
        return [own, ...nested([optionValue(rest, '-c', '--command')!])];
      break;
    case 'find':
    case 'fd':
      return [own, ...executed(rest).flatMap(next)];
    case 'ssh':
      return [own, ...nested(afterOptions(rest, SSH_VALUES).slice(1))];
    case 'docker':
    case 'podman':
    case 'kubectl':
      return [own, ...inContainer(rest).flatMap(next)];
    case 'watch':
    case 'parallel':
      return [own, ...nested(afterOptions(rest, wrappers[program]!.takes))];
  }
  // `env -S 'rm -rf'` splits its value.
  const split = program === 'env' ? optionValue(rest, '-S', '--split-string') : undefined;
  if (split !== undefined) return [own, ...nested([split])];
  const wrapper = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined;
  if (wrapper === undefined) return [own];
  const inner = withoutAssignments(afterOptions(rest, wrapper.takes)).slice(wrapper.skips);
  return [own, ...next(inner)];
};

const inShell = (
  command: SimpleCommand,
  before: SimpleCommand | undefined,
  nested: (words: readonly Word[]) => FoundCommand[],
  depth: number,
): FoundCommand[] => {
  const rest = command.words.slice(1);
  const at = rest.findIndex(({ text }) => /^-[a-z]*c$/i.test(text));
  const script = at === -1 ? undefined : rest[at + 1];
  if (script !== undefined) return nested([script]);
  if (command.hereDocument !== undefined) return inScript(command.hereDocument, depth);
  if (before === undefined) return [];
  const [first, ...printed] = before.words;
  const isPrinter = ['echo', 'printf'].includes(nameOf(first) ?? '');
  const text = isPrinter ? printed.filter(({ text }) => !/^-[neE]+$/.test(text)) : [];
  return isPrinter ? nested(text) : inScript(before.hereDocument ?? '', depth);
};

const SSH_VALUES = '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w'.split(' ');
const CONTAINER_VALUES =
  '-e -u -w -v -p -n -c --env --user --workdir --volume --publish --name --namespace --container --network --entrypoint'.split(
    ' ',
  );

/** `docker exec -it NAME rm`, `docker run IMAGE rm`, `kubectl exec POD -- rm`. */
const inContainer = (words: readonly Word[]): Word[][] => {
  const at = words.findIndex(({ text }) => ['exec', 'run'].includes(text));
  if (at === -1) return [];
  const dashes = words.findIndex(({ text }) => text === '--');
  if (dashes > at) return [words.slice(dashes + 1)];
  return [afterOptions(words.slice(at + 1), CONTAINER_VALUES).slice(1)];
};

/** The commands of `find -exec … ;`. */
const executed = (words: readonly Word[]): Word[][] => {
  const commands: Word[][] = [];
  for (const [at, { text }] of words.entries()) {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|--exec)$/.test(text)) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((word) => word.text === ';' || word.text === '+');
    commands.push(end === -1 ? [...rest] : rest.slice(0, end));
  }
  return commands;
};

/** Without options at the beginning, and their values. */
const afterOptions = (words: readonly Word[], takes: readonly string[] = []): Word[] => {
  let at = 0;
  while (at < words.length) {
    const { text } = words[at]!;
    if (text === '--') return words.slice(at + 1);
    if (!/^-./.test(text)) break;
    at += takes.includes(text) ? 2 : 1;
  }
  return words.slice(at);
};

const withoutAssignments = (words: readonly Word[]): Word[] => {
  const first = words.findIndex(({ text }) => !/^\w+=/.test(text));
  return first === -1 ? [] : words.slice(first);
};

const optionValue = (words: readonly Word[], ...options: string[]): Word | undefined => {
  const at = words.findIndex(({ text }) => options.includes(text));
  return at === -1 ? undefined : words[at + 1];
};

const afterEquals = (word: Word): Word => ({ ...word, text: word.text.replace(/^[^=\s]*=/, '') });

const describeCommand = ({ words, redirections }: SimpleCommand): FoundCommand => {
  const [first, ...rest] = words;
  const program = nameOf(first);
  const shown = program ?? first?.text ?? '';
  const text = [shown, ...rest.map((word) => word.text), ...redirections].join(' ');
  // A pattern's ^ and $ fit at every line, and a word may hold any lines.
  return { text: text.replaceAll(/[\r\n]+/g, ' '), program };
};

/** Without its folder. The folder may be unknown. */
const nameOf = (word: Word | undefined): string | undefined => {
  if (word === undefined) return undefined;
  const at = word.text.lastIndexOf('/') + 1;
  return at >= word.unknownUntil ? word.text.slice(at) : undefined;
};
