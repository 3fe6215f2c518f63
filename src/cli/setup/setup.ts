/** Puts Repartee into the configuration of a client: what would change, and the change itself. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ownProgramWords } from '../own-command.ts';
import { UsageError } from '../parse-args.ts';
import { type McpClient, mcpClients, type ServerCommand } from './clients.ts';
import { editConfig } from './edit-config.ts';

export interface SetupPlan {
  file: string;
  isChanged: boolean;
  /** The lines that go and come, with `-` and `+` before them. */
  lines: string[];
  /** Where the file is kept as it was. Absent if there is none yet. */
  copy?: string;
  after: string;
}

export const findClient = (name: string): McpClient => {
  const clients = mcpClients();
  const found = clients.find((client) => client.name === name);
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no client "${name}". There are: ${clients.map((client) => client.name).join(', ')}.`,
  );
};

export const listClients = () =>
  mcpClients().map((client) => {
    const { name, file } = client;
    return { client: name, has_repartee: stateOf(client), file };
  });

const stateOf = (client: McpClient): string => {
  if (!existsSync(client.file)) return existsSync(dirname(client.file)) ? 'no' : 'not installed';
  try {
    return planSetup(client, false).isChanged ? 'yes' : 'no';
  } catch {
    // What is wrong with it is told when it is to be changed.
    return 'unknown';
  }
};

export const planSetup = (client: McpClient, isWanted: boolean): SetupPlan => {
  const { file } = client;
  const isThere = existsSync(file);
  const before = isThere ? readFileSync(file, 'utf8') : '';
  const after = editConfig(before, client, isWanted ? ownServer() : undefined);
  return {
    file,
    isChanged: after !== before,
    lines: changedLines(before, after),
    ...(isThere && { copy: `${file}.before-repartee` }),
    after,
  };
};

/** In place, since the file may be a link. Others may not read it: some clients keep tokens there. */
export const writeSetup = ({ file, copy, after }: SetupPlan): void => {
  mkdirSync(dirname(file), { recursive: true });
  if (copy !== undefined) copyFileSync(file, copy);
  writeFileSync(file, after, { mode: 0o600 });
};

const ownServer = (): ServerCommand => {
  const [command = 'npx', ...args] = ownProgramWords();
  return { command, args: [...args, 'mcp'] };
};

/** One stretch of lines goes, and one comes: there is only one entry. */
const changedLines = (before: string, after: string): string[] => {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < Math.min(old.length, now.length) - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
  ];
};
