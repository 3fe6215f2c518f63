/** Adds our entry to the text of a client's configuration, or removes it, and leaves all else as it is. */
import { UnusableClientConfig } from '../../errors.ts';
import type { McpClient, ServerCommand } from './clients.ts';

const ENTRY = 'repartee';

/** `server` undefined: without the entry. Throws if the text is not what the client's file should be. */
export const editConfig = (
  text: string,
  client: McpClient,
  server: ServerCommand | undefined,
): string =>
  client.format === 'json' ? editJson(text, client, server) : editToml(text, client, server);

type JsonObject = Record<string, unknown>;

const editJson = (text: string, client: McpClient, server: ServerCommand | undefined): string => {
  const { section, entry, file } = client;
  const config = parseJson(text, file);
  const { [ENTRY]: before, ...others } = objectIn(config, section, file);
  if (server === undefined && before === undefined) return text;
  if (server !== undefined && isSame(before, entry(server))) return text;
  const isEmpty = server === undefined && Object.keys(others).length === 0;
  const servers = { ...others, ...(server && { [ENTRY]: entry(server) }) };
  const { [section]: _, ...rest } = config;
  const edited = isEmpty ? rest : { ...config, [section]: servers };
  return `${JSON.stringify(edited, undefined, indentOf(text))}\n`;
};

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const parseJson = (text: string, file: string): JsonObject => {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    // Some clients allow comments, which we would lose.
    throw new UnusableClientConfig(file, `it is not plain JSON (${(error as Error).message})`);
  }
};

const objectIn = (config: JsonObject, section: string, file: string): JsonObject => {
  const value = typeof config === 'object' && config !== null ? (config[section] ?? {}) : undefined;
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new UnusableClientConfig(file, `it has no object "${section}"`);
};

const indentOf = (text: string): string => /\n([ \t]+)/.exec(text)?.[1] ?? '  ';

/** Tables are found by their headers: whatever is between two of them belongs to the first. */
const editToml = (
  text: string,
  { section, entry, file }: McpClient,
  server: ServerCommand | undefined,
): string => {
  const name = `${section}.${ENTRY}`;
  if (new RegExp(`^\\s*(?:${section}\\s*=|${section}\\.${ENTRY}\\b.*=)`, 'm').test(text))
    throw new UnusableClientConfig(file, `its ${section} are not written as tables`);
  const isOurs = (part: string) => new RegExp(`^\\[${name.replace('.', '\\.')}[\\].]`).test(part);
  const parts = text.split(/^(?=\[)/m);
  const wanted = server === undefined ? '' : tomlTable(name, entry(server));
  if (parts.some((part) => part.trimEnd() === wanted.trimEnd())) return text;
  const others = parts.filter((part) => !isOurs(part)).join('');
  if (server === undefined) return parts.some(isOurs) ? `${others.trimEnd()}\n`.trimStart() : text;
  return others.trim() === '' ? wanted : `${others.trimEnd()}\n\n${wanted}`;
};

const tomlTable = (name: string, fields: object): string =>
  [
    `[${name}]`,
    // Strings and lists of strings are written in TOML as in JSON.
    ...Object.entries(fields).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
    '',
  ].join('\n');
