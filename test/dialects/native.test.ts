import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { native } from '../../src/dialects/native/dialect.ts';
import { toJsonResult, toJsonRunResult } from '../../src/dialects/native/results.ts';
import type { ToolResult } from '../../src/dialects/tool.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { callDefaults } from '../../src/session/options/options.ts';
import type { RunResult } from '../../src/session/sessions.ts';
import { testWith } from '../helpers/needs.ts';

describe('the native tools', () => {
  let sessions: LocalSessions;
  let call: (name: string, args?: unknown) => Promise<ToolResult>;
  beforeEach(() => {
    sessions = new LocalSessions();
    const { tools } = native(sessions, { personAnswers: (session) => `Attach to ${session}.` });
    call = (name, args = {}) => tools.find((tool) => tool.name === name)!.run(args, {});
  });
  afterEach(() => sessions[Symbol.asyncDispose]());
  const { tools } = native({} as LocalSessions);

  test('names, schemas and descriptions of all eight take at most 6 KiB', () => {
    const advertised = tools.map(({ name, description, input }) => ({ name, description, input }));
    expect(Buffer.byteLength(JSON.stringify(advertised))).toBeLessThanOrEqual(6144);
  });

  /** Claude Code and Codex show tools only after a search. */
  test.each([
    ['pty'],
    ['interactive shell session'],
    ['password prompt'],
    ['press ctrl-c'],
    ['REPL'],
    ['debugger'],
    ['ssh'],
    ['vim'],
    ['terminal'],
    ['wait for server'],
  ])('a search for "%s" finds one of them by all its words', (query) => {
    const words = query.toLowerCase().split(' ');
    const searched = tools.map(({ name, title = '', description, searchHint = '' }) => ({
      byDescription: `${name} ${title} ${description}`.toLowerCase(),
      byHint: `${name} ${searchHint}`.toLowerCase(),
    }));
    const has = (text: string) => words.every((word) => text.includes(word));
    expect(searched.some(({ byDescription }) => has(byDescription))).toBe(true);
    expect(searched.some(({ byHint }) => has(byHint))).toBe(true);
  });

  test('none waits longer by default than clients do', () => {
    const { openMs, sendMs, runMs, readMs, waitMs } = callDefaults;
    expect(Math.max(openMs, sendMs, runMs, readMs, waitMs)).toBeLessThanOrEqual(45_000);
    const described = tools.find(({ name }) => name === 'terminal_wait');
    expect(described?.description).toMatch(/client gives up sooner, nothing is lost/);
  });

  test('each takes exactly the fields of the specification', () => {
    const fields = Object.fromEntries(
      tools.map(({ name, input }) => {
        const { properties, required = [] } = input as {
          properties: object;
          required?: readonly string[];
        };
        const shown = (field: string) => (required.includes(field) ? field : `${field}?`);
        return [name, Object.keys(properties).map(shown).join(' ')];
      }),
    );
    expect(fields).toEqual({
      terminal_open: 'command? cwd? env? name? cols? rows? tty? timeout_ms? sandbox?',
      terminal_run: 'command session? cwd? sandbox? timeout_ms? max_tokens?',
      terminal_send:
        'session text? submit? keys? secret? until? match? timeout_ms? view? max_tokens?',
      terminal_read: 'session view? from? search? until? match? timeout_ms? max_tokens?',
      terminal_wait: 'sessions? until? match? timeout_ms?',
      terminal_list: 'all?',
      terminal_resize: 'session cols rows',
      terminal_close: 'session force?',
    });
  });

  test('docs/reference/tools.md names every tool, every input field and every result field', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/reference/tools.md'), 'utf8');
    for (const { name, input, output } of tools) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``));
      for (const field of Object.keys((input as { properties: object }).properties))
        expect(row, `${name}: ${field}`).toMatch(new RegExp(`\`${field}\\??\``));
      for (const field of Object.keys((output as { properties: object }).properties))
        expect(page, `${name}: ${field}`).toMatch(new RegExp(`\`(\\{)?${field}\\b`));
    }
  });

  test('each has a description, and its examples are JSON', () => {
    for (const { name, description } of tools) {
      expect(description, name).toMatch(/^[A-Z].*[.})]$/);
      for (const [example] of description.matchAll(/\{".*?\}/g))
        expect(() => JSON.parse(example), example).not.toThrow();
    }
  });

  test('tools that only read are marked read-only, the others are not', () => {
    const readOnly = tools.filter(({ hints }) => hints.readOnly).map(({ name }) => name);
    expect(readOnly).toEqual(['terminal_read', 'terminal_wait', 'terminal_list']);
    const harmless = tools.filter(({ hints }) => !hints.destructive).map(({ name }) => name);
    expect(harmless).toEqual([...readOnly, 'terminal_resize']);
  });

  test('a result has no empty fields', async () => {
    const { structured } = await call('terminal_open', { command: 'exec cat', name: 'cat' });
    expect(structured).toEqual({
      session: 'cat',
      state: 'waiting',
      waiting_for: 'line',
      certainty: expect.any(String),
      because: expect.any(String),
      foreground: 'cat',
      output: '',
      position: 0,
      elapsed_ms: expect.any(Number),
    });
  });

  test('a field that is null counts as absent', async () => {
    const opened = await call('terminal_open', { command: 'cat', cwd: null, env: null });
    expect(opened.failed).toBeUndefined();
    expect((await call('terminal_resize', { session: 'cat', cols: null, rows: 5 })).text).toMatch(
      /cols is missing: give a whole number/,
    );
  });

  test('an empty text presses Enter, but not beside keys', async () => {
    await call('terminal_open', { command: 'cat -A', name: 'cat' });
    const alone = await call('terminal_send', { session: 'cat', text: '' });
    expect(alone.structured?.output).toMatch(/^\n?\$$/);
    const beside = await call('terminal_send', { session: 'cat', text: '', keys: 'C-d' });
    expect(beside.structured).toMatchObject({ output: '', state: 'exited' });
  });

  test('a newline at the end of a text is its Enter, and no second one is added', async () => {
    await call('terminal_open', { command: 'cat -A', name: 'cat' });
    const { structured } = await call('terminal_send', { session: 'cat', text: 'one\n' });
    expect(structured).toMatchObject({ output: 'one$' });
  });

  test('a search without results says so in both results, and its output is empty', async () => {
    await call('terminal_open', { command: 'echo one; cat', name: 'cat' });
    const notFound = await call('terminal_read', { session: 'cat', search: 'zz+' });
    expect(notFound.text).toMatch(/^\[cat: .*\]\nNothing matches "zz\+"\.$/);
    expect(notFound.structured).toMatchObject({ output: '', hint: 'Nothing matches "zz+".' });
    const found = await call('terminal_read', { session: 'cat', search: 'one' });
    expect(found.text).toMatch(/^\d+:one\n/);
  });

  test('an error thrown on purpose is a result with its code', async () => {
    const { failed, text } = await call('terminal_read', { session: 'nobody' });
    expect(failed).toBe(true);
    expect(text).toBe('No session "nobody". Open sessions: none. [SESSION_NOT_FOUND]');
  });

  test('arguments that are not an object are an error result too', async () => {
    for (const args of ['text', 5, ['a'], true]) {
      const { failed, text } = await call('terminal_list', args);
      expect(failed).toBe(true);
      expect(text).toMatch(/the arguments must be an object/);
    }
  });

  test.each<[what: string, command: string, line: RegExp]>([
    ['an exit', 'echo out; exit 3', /^out\n\[sh: exit code 3\]$/],
    ['a signal', 'kill -9 $$', /^\[sh: ended by SIGKILL\]$/],
    [
      'a question',
      'printf "Sure? "; read x',
      /^\[sh: waiting for a \w+ at "Sure\? "( \(likely\))?\]$/,
    ],
    // A busy machine may not have started `sleep` by then.
    [
      'work',
      'exec sleep 60',
      /^\[sh: (?:\w+ is )?still working after [\d.]+ s, time is up\]\nIt runs/,
    ],
  ])('the last line reports %s', async (_, command, line) => {
    const { text } = await call('terminal_open', {
      command: `exec sh -c '${command}'`,
      name: 'sh',
      timeout_ms: /sleep/.test(command) ? 300 : 10_000,
    });
    expect(text).toMatch(line);
  });

  test('the text of a screen says where the cursor is', async () => {
    await call('terminal_open', { command: 'cat', cols: 80, rows: 24 });
    const { text } = await call('terminal_read', { session: 'cat', view: 'screen' });
    expect(text).toMatch(/; cursor at column 1, row 1 of 80x24\]$/);
  });

  testWith('python3')('the model is told not to ask for a secret in the chat', async () => {
    const { text, structured } = await call('terminal_open', {
      command: 'python3 -c "import getpass; getpass.getpass()"',
    });
    expect(structured).toMatchObject({ waiting_for: 'secret', prompt: 'Password: ' });
    expect(text).toMatch(/Do not ask for it in the chat and do not type it as text\./);
    expect(text).toMatch(/No stored secret fits\. Attach to python3\.$/);
    expect(structured?.hint).toBe(text.split('\n').at(-1));
  });

  test('every hint is in the text and in the structured result, once in each', async () => {
    const { text, structured } = await call('terminal_open', {
      command: 'exec sleep 60',
      name: 'sleep',
      timeout_ms: 0,
    });
    const hint =
      'It runs on: terminal_wait {"sessions":["sleep"]}, or terminal_send with keys "C-c" to interrupt it.';
    expect(structured?.hint).toBe(hint);
    expect(text.split(hint)).toHaveLength(2);
    expect(Object.keys(structured ?? {})[0]).toBe('hint');
  });

  test('the text names what was matched, the title and what is marked', async () => {
    const command = `printf '\\033[?1049h\\033]0;menu\\007One \\033[7mTwo\\033[m'; exec cat`;
    const opened = await call('terminal_open', { command, name: 'menu' });
    await call('terminal_wait', { sessions: ['menu'], match: 'Two' });
    const { text } = await call('terminal_read', { session: 'menu', view: 'screen' });
    expect(text).toMatch(/; title "menu"; marked: "Two" in row 1\]$/);
    expect(opened.failed).toBeUndefined();
    const { text: matched } = await call('terminal_send', {
      session: 'menu',
      text: 'three',
      match: 'th.ee',
    });
    expect(matched).toMatch(/; matched "three"/);
  });

  test('how it ended comes first as well where the output is long', async () => {
    const { text, structured } = await call('terminal_run', {
      command: 'seq 1 3000; exit 9',
      max_tokens: 100_000,
    });
    const lines = text.split('\n');
    expect(lines[0]).toMatch(/^\[exit code 9\]$/);
    expect(lines.at(-1)).toBe(lines[0]);
    expect(Object.keys(structured ?? {}).indexOf('exit_code')).toBeLessThan(
      Object.keys(structured ?? {}).indexOf('output'),
    );
    const short = await call('terminal_run', { command: 'seq 1 20' });
    expect(short.text).toMatch(/^1\n/);
  });

  test('a field that nobody can have meant for us is ignored, and the answer says so', async () => {
    const { failed, text, structured } = await call('terminal_run', {
      command: 'echo done',
      wait_for_previous: true,
      description: 'Say done',
      reason: 'to see it',
    });
    expect(failed).toBeUndefined();
    expect(text).toMatch(/^done\n/);
    const hint = 'terminal_run has no wait_for_previous, description, reason: ignored.';
    expect(structured?.hint).toBe(hint);
    expect(text).toContain(hint);
    const list = await call('terminal_list', { wait_for_previous: false });
    expect(list.structured).toMatchObject({ sessions: [] });
  });

  test.each<[field: string, tool: string, meant: string]>([
    ['timeout', 'terminal_run', 'timeout_ms'],
    ['timeout_seconds', 'terminal_run', 'timeout_ms'],
    ['workdir', 'terminal_run', 'cwd'],
    ['sessionId', 'terminal_run', 'session'],
    ['maxTokens', 'terminal_run', 'max_tokens'],
    ['session', 'terminal_wait', 'sessions'],
  ])('%s is refused by %s with the name of ours', async (field, tool, meant) => {
    const { failed, text } = await call(tool, { command: 'false', [field]: 'x' });
    expect(failed).toBe(true);
    expect(text).toContain(`there is no "${field}", did you mean ${meant}?`);
  });

  test('a field of another tool of ours is refused', async () => {
    const { failed, text } = await call('terminal_run', { command: 'true', keys: 'C-c' });
    expect(failed).toBe(true);
    expect(text).toContain('there is no "keys"');
  });

  testWith('python3')(
    'a stored secret is offered by name, and the model never sees it',
    async () => {
      const secrets = {
        find: (name: string) => (name === 'db' ? { name, value: 'correct horse' } : undefined),
        names: () => ['db'],
      };
      await using withSecrets = new LocalSessions({ secrets });
      const { tools } = native(withSecrets);
      const call = (name: string, args: object) =>
        tools.find((tool) => tool.name === name)!.run(args, {});
      const asked = await call('terminal_open', {
        command: `python3 -c "import getpass; print('got', getpass.getpass()[:3], getpass.getpass)"`,
      });
      expect(asked.structured).toMatchObject({ secrets: ['db'] });
      expect(asked.text).toMatch(
        /Stored secrets: db; terminal_send \{"session":"python3","secret":"db"\} types one unseen\./,
      );
      const typed = await call('terminal_send', { session: 'python3', secret: 'db' });
      expect(typed.structured).toMatchObject({
        state: 'exited',
        output: expect.stringMatching(/got cor/),
      });
      const unknown = await call('terminal_send', { session: 'python3', secret: 'other' });
      expect(unknown.text).toMatch(/UNKNOWN_SECRET/);
    },
  );

  test('closing names what survived, and force ends that too', async () => {
    const survivor = 'setsid sh -c \'trap "" HUP; exec sleep 1000\' &';
    const untilItSleeps = 'until grep -q sleep /proc/$!/comm; do sleep 0.05; done';
    const command = `${survivor} ${untilItSleeps}; exec cat`;
    await call('terminal_open', { command, name: 'one' });
    const { structured, text } = await call('terminal_close', { session: 'one' });
    expect(structured).toMatchObject({ closed: ['one'], survivors: [{ name: 'sleep' }] });
    expect(text).toMatch(/still running: sleep \(pid \d+\)\]\n"force":true ends/);
    expect(structured?.hint).toBe('"force":true ends what is still running, too.');
    const [{ pid }] = (structured as { survivors: [{ pid: number }] }).survivors;
    process.kill(pid, 'SIGKILL');
    await call('terminal_open', { command, name: 'two' });
    const forced = await call('terminal_close', { session: '*', force: true });
    expect(forced.structured).toEqual({ closed: ['two'] });
    const { text: nothing } = await call('terminal_close', { session: '*' });
    expect(nothing).toBe('[closed: none]\nThere was nothing to close.');
  });

  test('an empty list says how to start a session', async () => {
    expect(await call('terminal_list')).toEqual({
      text: '[no sessions]\nterminal_open starts one.',
      structured: { hint: 'terminal_open starts one.', sessions: [] },
    });
  });
});

describe('a result on the wire', () => {
  const ended: RunResult = {
    session: 'bash',
    state: 'exited',
    certainty: 'certain',
    because: '',
    output: 'out',
    position: 9,
    elapsedMs: 1,
    endMark: 'shell',
  };
  const kept = { session: 'bash', position: 9 };

  test('names a shell only if it is kept', () => {
    expect(toJsonRunResult(ended, {})).toEqual({
      state: 'exited',
      certainty: 'certain',
      because: '',
      output: 'out',
      elapsed_ms: 1,
    });
    expect(toJsonRunResult(ended, { session: 'bash' })).toMatchObject(kept);
    expect(toJsonRunResult({ ...ended, state: 'working' }, {})).toMatchObject(kept);
    expect(toJsonRunResult({ ...ended, omitted: { lines: 1, bytes: 2 } }, {})).toMatchObject(kept);
  });

  test('has no title and no marked text if they are empty', () => {
    const screen = { cursor: { col: 1, row: 1, visible: true }, cols: 80, rows: 24 };
    const plain = toJsonResult({ ...ended, screen: { ...screen, title: '', marked: [] } });
    expect(plain).toMatchObject(screen);
    expect(plain).not.toHaveProperty('title');
    expect(plain).not.toHaveProperty('marked');
    const filled = { title: 'vim', marked: [{ row: 1, col: 1, text: 'menu' }] };
    expect(toJsonResult({ ...ended, screen: { ...screen, ...filled } })).toMatchObject(filled);
  });
});
