/** Several agents of one user share a daemon, and do not take each other's sessions by accident. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { RawServer } from '../helpers/mcp/raw-client.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const twoAgents = async () => {
  const { env } = ownDaemon();
  const agents = [new RawServer(env, []), new RawServer(env, [])] as const;
  await Promise.all(agents.map((agent) => agent.initialize()));
  let id = 0;
  const caller = (agent: RawServer) => (name: string, args: object) => agent.call(++id, name, args);
  return agents.map(caller) as unknown as readonly [
    ReturnType<typeof caller>,
    ReturnType<typeof caller>,
  ];
};

const namesIn = ({
  structuredContent,
}: {
  structuredContent: { sessions: { session: string }[] };
}) => structuredContent.sessions.map(({ session }) => session);

describe('an agent beside another one', () => {
  test('lists, waits for and closes its own sessions unless it names others', async () => {
    const [a, b] = await twoAgents();
    const go = join(folderWith(), 'go');
    const command = `until [ -e ${go} ]; do sleep 0.05; done; echo unread; exec cat`;
    await a('terminal_open', { command, name: 'a1', timeout_ms: 0 });
    await b('terminal_open', { command: 'cat', name: 'b1' });
    const listed = await b('terminal_list', {});
    expect(namesIn(listed)).toEqual(['b1']);
    expect(listed.structuredContent).toMatchObject({
      others: 1,
      hint: '{"all":true} also lists 1 of other clients.',
    });
    expect(namesIn(await b('terminal_list', { all: true }))).toEqual(['b1', 'a1']);
    writeFileSync(go, '');
    const waited = await b('terminal_wait', {});
    expect(waited.structuredContent.session).toBe('b1');
    const closed = await b('terminal_close', { session: '*' });
    expect(closed.structuredContent).toMatchObject({ closed: ['b1'] });
    const nothing = await b('terminal_wait', {});
    expect(nothing.content[0].text).toMatch(/no session of yours\. Others: a1\./);
    const { structuredContent } = await a('terminal_wait', { sessions: ['a1'] });
    expect(structuredContent).toMatchObject({ state: 'waiting', output: 'unread' });
  });

  test('is told whose a session is that it names for the first time, and then has it', async () => {
    const [a, b] = await twoAgents();
    await a('terminal_open', { command: 'cat', name: 'a1' });
    const read = await b('terminal_read', { session: 'a1' });
    expect(read.structuredContent.hint).toMatch(/^a1 was opened by raw 1 \(mcp\), not by you\./);
    const again = await b('terminal_read', { session: 'a1' });
    expect(again.structuredContent.hint ?? '').not.toMatch(/opened by/);
    expect(namesIn(await b('terminal_list', {}))).toEqual(['a1']);
    const own = await a('terminal_read', { session: 'a1' });
    expect(own.structuredContent.hint ?? '').not.toMatch(/opened by/);
  });

  test('gets another name where one is taken, and is told so', async () => {
    const [a, b] = await twoAgents();
    await a('terminal_open', { command: 'cat', name: 'py' });
    const second = await b('terminal_open', { command: 'cat', name: 'py' });
    expect(second.structuredContent).toMatchObject({
      session: 'py-2',
      hint: 'There is a session py already: this one is py-2.',
    });
    expect(
      (await b('terminal_open', { command: 'cat', name: 'py' })).structuredContent,
    ).toMatchObject({
      session: 'py-3',
    });
    await a('terminal_open', { command: 'cat' });
    const unnamed = await b('terminal_open', { command: 'cat' });
    expect(unnamed.structuredContent).toMatchObject({
      session: 'cat-2',
      hint: 'There is a session cat already: this one is cat-2.',
    });
  });
});
