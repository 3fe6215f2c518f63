/** Tests that every transport must pass with a client of every era. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPng } from '../../picture/read-png.ts';
import { testWith } from '../needs.ts';
import { makeGate } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { caller, type Door, type Era, isModern, type OpenDoor, type Told } from './doors.ts';

export const conversesWith = (openDoor: OpenDoor, era: Era): void => {
  let door: Door;
  let client: Client;
  let call: (name: string, args?: Record<string, unknown>) => Promise<Told>;
  let names = 0;
  /** Tests share a server, so each has its own session names. */
  const newName = () => `s${++names}`;
  const openShell = async (command = 'exec bash --norc --noprofile') => {
    const name = newName();
    await call('terminal_open', { name, command });
    return name;
  };
  /** For programs that never wait for input. */
  const start = async (command: string) => {
    const name = newName();
    await call('terminal_open', { name, command, timeout_ms: 0 });
    return name;
  };

  beforeAll(async () => {
    door = await openDoor(era);
    client = door.client;
    call = caller(client);
  });
  afterAll(() => door.close());

  test('agrees on the protocol version of the client', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect(client.getInstructions()).toMatch(/whose turn/);
    expect(client.getServerVersion()?.name).toBe('repartee');
  });

  test('lists eight tools with input schemas, output schemas and hints', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'terminal_open',
      'terminal_run',
      'terminal_send',
      'terminal_read',
      'terminal_wait',
      'terminal_list',
      'terminal_resize',
      'terminal_close',
    ]);
    for (const tool of tools) {
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema?.type).toBe('object');
      expect(Object.keys(tool.annotations!)).toHaveLength(4);
    }
  });

  testWith('python3')('opens a program, types to it and closes it', async () => {
    const name = newName();
    const opened = await call('terminal_open', { command: 'exec python3 -q', name });
    expect(opened.structured).toMatchObject({ state: 'waiting', waiting_for: 'line', output: '' });
    expect(opened.text).toBe(`[${name}: python3 waiting for a line at ">>> "]`);
    const answered = await call('terminal_send', { session: name, text: 'print(6 * 7)' });
    expect(answered.structured).toMatchObject({
      output: '42',
      prompt: '>>> ',
      certainty: 'certain',
    });
    expect(answered.text).toBe(`42\n[${name}: python3 waiting for a line at ">>> "]`);
    const closed = await call('terminal_close', { session: name });
    expect(closed.structured).toEqual({ closed: [name] });
    const gone = await call('terminal_read', { session: name });
    expect(gone.failed).toBe(true);
    expect(gone.text).toMatch(/SESSION_NOT_FOUND/);
  });

  test('shows the screen as an image, beside all that a result has', async () => {
    const session = await openShell();
    await call('terminal_run', { session, command: 'printf "\\033[31mred"' });
    for (const [name, more] of [
      ['terminal_read', {}],
      ['terminal_send', { text: 'echo more' }],
    ] as const) {
      const args = { session, view: 'image', ...more };
      const { content, structuredContent } = await client.callTool({ name, arguments: args });
      const [text, image, ...rest] = content;
      expect(rest).toEqual([]);
      expect(text).toMatchObject({ type: 'text', text: expect.stringContaining('red') });
      expect(image).toMatchObject({ type: 'image', mimeType: 'image/png' });
      const png = Buffer.from((image as { data: string }).data, 'base64');
      expect(readPng(png)).toMatchObject({ width: 120 * 9, height: 40 * 18 });
      expect(structuredContent).toMatchObject({ session, cols: 120, rows: 40 });
      expect(structuredContent).toHaveProperty('output', expect.stringContaining('red'));
      expect(structuredContent).not.toHaveProperty('picture');
    }
    const searched = await call('terminal_read', { session, view: 'image', search: 'more' });
    expect(searched.structured).not.toHaveProperty('hint');
    await call('terminal_resize', { session, cols: 1000, rows: 10 });
    const large = await call('terminal_read', { session, view: 'image' });
    expect(large.structured.hint).toContain('too large for a picture');
    await call('terminal_close', { session });
  });

  test('runs one command: its output, its exit code, its folder', async () => {
    const { structured, text } = await call('terminal_run', { command: 'cd /; echo one; false' });
    expect(structured).toMatchObject({ output: 'one', exit_code: 1, cwd: '/' });
    expect(text).toBe('one\n[exit code 1, in /]');
    expect(structured).not.toHaveProperty('session');
  });

  test('runs one command after another in the shell of a session', async () => {
    const session = await openShell();
    await call('terminal_run', { session, command: 'cd /usr; X=5' });
    const { structured } = await call('terminal_run', { session, command: 'echo $X' });
    expect(structured).toMatchObject({ session, output: '5', exit_code: 0, cwd: '/usr' });
    await call('terminal_close', { session });
  });

  test('keeps the shell of a command whose output was cut, so that the rest can be read', async () => {
    const cut = await call('terminal_run', { command: 'seq 1 5000', max_tokens: 100 });
    const { session, omitted } = cut.structured;
    expect(cut.text).toMatch(new RegExp(`lines left out, to be read in session ${session}\\]$`));
    const rest = await call('terminal_read', { session, from: omitted.from, max_tokens: 20_000 });
    expect(rest.structured.output).toMatch(/\n2500\n2501\n/);
    await call('terminal_close', { session });
  });

  test('keeps a command that asks something, and names its session', async () => {
    const atQuestion = await call('terminal_run', {
      command: 'read -p "Name? " n; echo "Hello $n"',
    });
    expect(atQuestion.structured).toMatchObject({ state: 'waiting', prompt: 'Name? ' });
    const { session } = atQuestion.structured;
    const answered = await call('terminal_send', { session, text: 'Ada', until: 'exit' });
    expect(answered.structured.output).toContain('Hello Ada');
    await call('terminal_close', { session });
  });

  test('waits until the output, the match, the exit, or not at all', async () => {
    const session = await openShell();
    const send = (args: object) => call('terminal_send', { session, ...args });
    const gate = makeGate();
    const now = await send({ text: `echo a; ${gate.wait}; echo b`, until: 'now' });
    expect(now.structured.output).not.toMatch(/^b$/m);
    gate.open();
    const matched = await call('terminal_read', { session, match: '^b$', timeout_ms: 60_000 });
    expect(matched.structured).toMatchObject({ matched: 'b' });
    await call('terminal_wait', { sessions: [session], until: 'ready' });
    const output = await send({ text: 'sleep 0.2; echo c; sleep 60', until: 'output', match: 'c' });
    expect(output.structured).toMatchObject({ state: 'working', output: 'c' });
    const late = await call('terminal_wait', { sessions: [session], timeout_ms: 100 });
    expect(late.structured).toMatchObject({ state: 'working', timed_out: true });
    expect(late.text).toMatch(/still working after \d\.\d s, time is up\]\nIt runs on: /);
    const stopped = await send({ keys: 'C-c' });
    expect(stopped.structured.state).toBe('waiting');
    const exited = await send({ text: 'exit 3', until: 'exit' });
    expect(exited.structured).toMatchObject({ state: 'exited', exit_code: 3 });
    await call('terminal_close', { session });
  });

  test('waits until there is output', async () => {
    const gate = makeGate();
    const session = await start(`${gate.wait}; echo here; sleep 60`);
    const waiting = call('terminal_wait', { sessions: [session], until: 'output' });
    gate.open();
    const { structured } = await waiting;
    expect(structured).toMatchObject({ state: 'working', output: 'here' });
    await call('terminal_close', { session });
  });

  testWith('python3')('waits until a server listens', async () => {
    const name = newName();
    await call('terminal_open', {
      name,
      command: 'python3 -m http.server --bind 127.0.0.1 0',
      timeout_ms: 0,
    });
    const up = await call('terminal_wait', { sessions: [name], until: 'listening' });
    expect(up.structured.listening).toHaveLength(1);
    expect(up.text).toMatch(/listening on port \d+/);
    await call('terminal_close', { session: name });
  });

  test('reads the screen, what changed on it, the raw bytes, and the history', async () => {
    const session = await openShell();
    await call('terminal_send', { session, text: 'seq 1 3' });
    const read = (args: object) => call('terminal_read', { session, ...args });
    const screen = await read({ view: 'screen' });
    expect(screen.structured).toMatchObject({ cols: 120, rows: 40, cursor: { visible: true } });
    expect(screen.structured.output).toMatch(/seq 1 3\n1\n2\n3\n/);
    await call('terminal_send', { session, text: 'echo more' });
    const diff = await read({ view: 'diff' });
    expect(diff.structured.output).toMatch(/^\d+: more$/m);
    expect(diff.structured.output).not.toMatch(/^\d+: 2$/m);
    expect((await read({ view: 'raw' })).structured.output).toContain('\u001b[');
    expect((await read({ search: '^2$' })).structured.output).toContain('2');
    expect((await read({ from: 0 })).structured.output).toMatch(/1\n2\n3/);
    expect((await read({})).structured.output).toBe('');
    await call('terminal_close', { session });
  });

  test('cuts long output, says so, and the rest can be read', async () => {
    const session = await openShell();
    const cut = await call('terminal_send', { session, text: 'seq 1 5000', max_tokens: 200 });
    const { omitted } = cut.structured;
    expect(omitted.lines).toBeGreaterThan(4000);
    expect(cut.text).toMatch(/lines left out\]$/);
    const rest = await call('terminal_read', { session, from: omitted.from, max_tokens: 20_000 });
    expect(rest.structured.output).toMatch(/\n2500\n2501\n/);
    await call('terminal_close', { session });
  });

  test('resizes a terminal and lists the sessions', async () => {
    const session = await openShell();
    const resized = await call('terminal_resize', { session, cols: 90, rows: 30 });
    expect(resized.structured).toEqual({ session, cols: 90, rows: 30 });
    const size = await call('terminal_send', { session, text: 'stty size' });
    expect(size.structured.output).toBe('30 90');
    const { structured, text } = await call('terminal_list');
    const listed = structured.sessions.find(
      (summary: { session: string }) => summary.session === session,
    );
    expect(listed).toMatchObject({ state: 'waiting', foreground: 'bash', unread: 0 });
    expect(text).toContain(`${session}: bash waiting for a`);
    await call('terminal_close', { session });
  });

  test('reports progress while it waits, and cancelling ends only the wait', async () => {
    const gate = makeGate();
    const session = await start(`${gate.wait}; echo begun; sleep 60`);
    gate.open();
    const cancel = new AbortController();
    const progress: { progress: number; message?: string | undefined }[] = [];
    const waiting = client.callTool(
      { name: 'terminal_wait', arguments: { sessions: [session] } },
      {
        signal: cancel.signal,
        onprogress: (update) => {
          // On a busy machine the first ones may come before the program has begun.
          if (update.message?.endsWith(': begun')) progress.push(update);
          if (progress.length === 2) cancel.abort('enough');
        },
      },
    );
    await expect(waiting).rejects.toThrow(/enough/);
    expect(progress[0]!.message).toMatch(new RegExp(`^${session}: working for \\d+ s: begun$`));
    expect(progress[1]!.progress).toBeGreaterThan(progress[0]!.progress);
    const { structured } = await call('terminal_read', { session });
    expect(structured).toMatchObject({ state: 'working', output: 'begun' });
    await call('terminal_close', { session });
  });

  test('shows every session as three resources, and reading them consumes no output', async () => {
    const session = await openShell();
    const gate = makeGate();
    await call('terminal_send', { session, text: `${gate.wait}; echo unread`, until: 'now' });
    gate.open();
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri).filter((uri) => uri.includes(`//${session}/`));
    expect(uris).toEqual(
      ['screen', 'text', 'state'].map((kind) => `terminal://${session}/${kind}`),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      ['screen', 'text', 'state'].map((kind) => `terminal://{session}/${kind}`),
    );
    const text = async (kind: string) => {
      const { contents } = await client.readResource({ uri: `terminal://${session}/${kind}` });
      return (contents[0] as { text: string }).text;
    };
    await until('the text has it', async () => /^unread$/m.test(await text('text')));
    expect(await text('screen')).toMatch(/^unread$/m);
    expect(JSON.parse(await text('state'))).toMatchObject({ session, foreground: 'bash' });
    const { structured } = await call('terminal_read', { session });
    expect(structured.output).toBe('unread');
    await call('terminal_close', { session });
    await expect(client.readResource({ uri: `terminal://${session}/text` })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('notifies subscribers of changes, and of sessions opened and closed', async () => {
    const session = await openShell('read x; echo "got $x"; sleep 60');
    const updated = new Set<string>();
    let listChanges = 0;
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.add(params.uri);
    });
    client.setNotificationHandler('notifications/resources/list_changed', () => {
      listChanges++;
    });
    const uris = ['screen', 'text', 'state'].map((kind) => `terminal://${session}/${kind}`);
    const listening = isModern(era)
      ? await client.listen({ resourcesListChanged: true, resourceSubscriptions: uris })
      : undefined;
    if (listening === undefined) {
      await client.listResources();
      for (const uri of uris) await client.subscribeResource({ uri });
    }
    await call('terminal_send', { session, text: 'this', until: 'output' });
    await until('all three have changed', () => uris.every((uri) => updated.has(uri)));
    const before = listChanges;
    await call('terminal_close', { session });
    await until('the list has changed', () => listChanges > before);
    await listening?.close();
    if (listening === undefined) for (const uri of uris) await client.unsubscribeResource({ uri });
  });

  test('offers a prompt', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['converse', 'repl', 'debug', 'watch']);
    for (const { name, arguments: [first] = [] } of prompts) {
      const args = { [first!.name]: 'the subject' };
      const { messages } = await client.getPrompt({ name, arguments: args });
      expect(messages[0]?.content, name).toMatchObject({
        text: expect.stringMatching(/"the subject"[\s\S]*terminal_/),
      });
    }
    const { messages } = await client.getPrompt({
      name: 'converse',
      arguments: { command: 'psql shop', task: 'count the orders' },
    });
    expect(JSON.stringify(messages)).toMatch(/psql shop.*count the orders/);
    await expect(client.getPrompt({ name: 'converse' })).rejects.toMatchObject({ code: -32602 });
  });

  test('says what is wrong with a call, so that the next one can be right', async () => {
    const wrong = await call('terminal_send', { sesion: 'x', text: 5, until: 'redy' });
    expect(wrong.failed).toBe(true);
    expect(wrong.text).toMatch(
      /session is missing.*text must be a string, not 5.*did you mean session/,
    );
    expect(wrong.text).toMatch(/until must be one of ready, exit, output, listening, now/);
    await expect(call('terminal_sned', {})).rejects.toThrow(/terminal_send/);
  });
};
