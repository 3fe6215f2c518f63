/**
 * Every session as three resources: its screen, its text, its state.
 *
 * Reading one does not move the `agent` reader: what is new to the agent stays new.
 */
import {
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { toJsonSummary } from '../dialects/native/results.ts';
import { SessionNotFound } from '../errors.ts';
import type { Sessions } from '../session/sessions.ts';

export const resourceKinds = ['screen', 'text', 'state'] as const;
export type ResourceKind = (typeof resourceKinds)[number];

const READER = 'mcp-resources';

const properties: Record<ResourceKind, { mimeType: string; description: string }> = {
  screen: { mimeType: 'text/plain', description: 'What a person would see on the terminal now.' },
  text: {
    mimeType: 'text/plain',
    description: 'What the program has said, as clean text, as far as it is kept.',
  },
  state: {
    mimeType: 'application/json',
    description: 'Whether it works, waits (and for what) or has exited, and how that is known.',
  },
};

export const resourceUri = (session: string, kind: ResourceKind): string =>
  `terminal://${session}/${kind}`;

export const resourceTemplates: ResourceTemplateType[] = resourceKinds.map((kind) => ({
  name: `terminal-${kind}`,
  uriTemplate: resourceUri('{session}', kind),
  ...properties[kind],
}));

export const listResources = async (sessions: Sessions): Promise<Resource[]> =>
  (await sessions.list()).flatMap(({ session }) =>
    resourceKinds.map((kind) => ({
      name: `${session}/${kind}`,
      uri: resourceUri(session, kind),
      ...properties[kind],
    })),
  );

export const readResource = async (uri: string, sessions: Sessions) => {
  const [, session, kind] = /^terminal:\/\/([^/]+)\/(screen|text|state)$/.exec(uri) ?? [];
  if (session === undefined) throw new ResourceNotFoundError(uri);
  try {
    const text = await readers[kind as ResourceKind](session, sessions);
    return { uri, mimeType: properties[kind as ResourceKind].mimeType, text };
  } catch (error) {
    if (error instanceof SessionNotFound) throw new ResourceNotFoundError(uri, error.message);
    throw error;
  }
};

const readers: Record<ResourceKind, (session: string, sessions: Sessions) => Promise<string>> = {
  async screen(session, sessions) {
    const { output } = await sessions.read(session, { view: 'screen' }, { reader: READER });
    return output;
  },
  async text(session, sessions) {
    // Reading from a position moves no reader.
    const { output } = await sessions.read(session, { from: 0 }, { reader: READER });
    return output;
  },
  async state(session, sessions) {
    const summaries = await sessions.list();
    const summary = summaries.find((summary) => summary.session === session);
    if (summary === undefined) throw SessionNotFound.among(session, summaries);
    return JSON.stringify(toJsonSummary(summary));
  },
};
