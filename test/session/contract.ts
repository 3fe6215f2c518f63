/** Tests for every implementation of `Sessions`: the one in this process and the daemon's client. */
import { chmodSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SessionEvent, Sessions } from '../../src/session/sessions.ts';
import { folderWith, makeGate } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const bash = ['bash', '--norc'];
const fixture = (name: string) => join(import.meta.dirname, '../fixtures', name);

/** The sessions may be another user's. */
const openFolder = (): string => {
  const folder = folderWith();
  chmodSync(folder, 0o777);
  return folder;
};

export const sessionsContract = (name: string, connect: () => Promise<Sessions>) =>
  describe(`${name} keeps the contract of Sessions:`, () => {
    const begin = async () => {
      const sessions = await connect();
      onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
      return sessions;
    };

    describe('open', () => {
      test('returns when the program is ready, with its prompt apart from its output', async () => {
        const sessions = await begin();
        const result = await sessions.open({ command: ['python3', '-q'] });
        expect(result).toMatchObject({
          session: 'python3',
          state: 'waiting',
          waitingFor: 'line',
          prompt: '>>> ',
          certainty: 'certain',
          foreground: 'python3',
          output: '',
        });
        expect(result).not.toHaveProperty('timedOut');
      });

      test('returns all output of a program that has exited, and its exit code', async () => {
        const sessions = await begin();
        const result = await sessions.open({ command: 'echo one; echo two; exit 3' });
        expect(result).toMatchObject({ state: 'exited', exitCode: 3, output: 'one\ntwo' });
      });

      test('returns when the time is up, and the program runs on', async () => {
        const sessions = await begin();
        const result = await sessions.open({ command: 'echo on; sleep 1000', timeoutMs: 300 });
        expect(result).toMatchObject({ state: 'working', timedOut: true, output: 'on' });
        expect(await sessions.list()).toMatchObject([{ state: 'working' }]);
      });

      test('names sessions after their programs', async () => {
        const sessions = await begin();
        const names = [];
        for (const command of [['cat'], ['cat'], 'A=1 cat', ['/bin/cat']]) {
          names.push((await sessions.open({ command })).session);
        }
        expect(names).toEqual(['cat', 'cat-2', 'cat-3', 'cat-4']);
        expect((await sessions.open({ command: ['cat'], name: 'mine' })).session).toBe('mine');
      });

      test('gives the program the folder, the variables and the size asked for', async () => {
        const sessions = await begin();
        const command = 'echo $PWD $A $TERM; stty size; printenv HOME || echo none';
        const result = await sessions.open({
          command,
          cwd: '/usr',
          env: { A: 'b', HOME: undefined },
          cols: 77,
          rows: 11,
        });
        expect(result.output).toBe('/usr b xterm-256color\n11 77\nnone');
      });

      test('runs a program without a terminal', async () => {
        const sessions = await begin();
        const { session, ...first } = await sessions.open({
          command: 'test -t 0 || echo none; cat',
          tty: false,
          timeoutMs: 200,
        });
        expect(first.output).toBe('none');
        const result = await sessions.send(session, { text: 'hi', until: 'output' });
        expect(result.output).toBe('hi');
      });
    });

    describe('send', () => {
      test('returns the answer alone: neither the echo nor the prompt', async () => {
        const sessions = await begin();
        await sessions.open({ command: bash, env: { PS1: '$ ' } });
        const first = await sessions.send('bash', { text: 'echo $((6*7))' });
        expect(first).toMatchObject({
          output: '42',
          state: 'waiting',
          waitingFor: 'command',
          prompt: '$ ',
        });
        expect((await sessions.send('bash', { text: 'true' })).output).toBe('');
        expect((await sessions.send('bash', { text: 'printf "a\\n\\nb\\n"' })).output).toBe(
          'a\n\nb',
        );
      });

      test('returns what a program repeats, which is no echo', async () => {
        const sessions = await begin();
        await sessions.open({ command: ['cat'] });
        expect((await sessions.send('cat', { text: 'hello' })).output).toBe('hello');
        expect((await sessions.send('cat', { text: 'hello' })).output).toBe('hello');
      });

      test('tells a question from an answer', async () => {
        const sessions = await begin();
        await sessions.open({
          command:
            'read -p "Your name: " n; echo "Hello, $n."; read -s -p "Word: " w; echo; echo ok',
          env: { SHELL: '/bin/bash' },
        });
        const answer = await sessions.send('read', { text: 'Ada' });
        expect(answer).toMatchObject({
          output: 'Hello, Ada.',
          waitingFor: 'secret',
          prompt: 'Word: ',
        });
        expect(await sessions.send('read', { text: 'sesame' })).toMatchObject({
          output: 'ok',
          state: 'exited',
        });
      });

      test('types several lines, and keys', async () => {
        const sessions = await begin();
        await sessions.open({ command: ['python3', '-q'] });
        const defined = await sessions.send('python3', {
          text: 'def f(x):\n  return x + 1\n\nf(41)',
        });
        expect(defined.output).toBe('42');
        await sessions.send('python3', { text: 'while True: pass', until: 'now' });
        const stopped = await sessions.send('python3', { keys: 'C-c' });
        expect(stopped.output).toMatch(/KeyboardInterrupt/);
        expect(await sessions.send('python3', { keys: 'C-d' })).toMatchObject({
          state: 'exited',
          exitCode: 0,
        });
      });

      test('shows a full-screen program by its screen', async () => {
        const sessions = await begin();
        await sessions.open({ command: ['less', '/etc/passwd'], rows: 10 });
        const result = await sessions.send('less', { keys: 'G' });
        expect(result).toMatchObject({ waitingFor: 'key', screen: { rows: 10, cols: 120 } });
        expect(result.output.split('\n')).toHaveLength(10);
        expect(await sessions.send('less', { keys: 'q' })).toMatchObject({ state: 'exited' });
      });

      test('ends in time, or when it is aborted, though the program never reads', async () => {
        const sessions = await begin();
        await sessions.open({ command: 'stty raw -echo; echo deaf; sleep 1000', timeoutMs: 300 });
        const text = 'x'.repeat(3000);
        const input = { text, submit: false, timeoutMs: 200 } as const;
        let result = await sessions.send('stty', { ...input, until: 'now' });
        for (let at = 0; at < 20 && !result.timedOut; at++)
          result = await sessions.send('stty', { ...input, until: 'now' });
        expect(result).toMatchObject({ timedOut: true, state: 'working' });
        const signal = AbortSignal.timeout(100);
        await expect(
          sessions.send('stty', { ...input, timeoutMs: 60_000 }, { signal }),
        ).rejects.toThrow();
      });

      test.each(['with a cursor of its own', 'with a line that it draws anew'])(
        'presses Enter so that a program %s that detects pastes takes it for Enter',
        async (how) => {
          const sessions = await begin();
          const command = ['node', fixture('detects-pastes.js'), how];
          await sessions.open({ command, name: 'prompt' });
          for (const text of ['hello', 'again']) {
            const { output } = await sessions.send('prompt', { text, match: 'got .*' });
            expect(output).toContain(`got ${text}`);
          }
        },
      );

      test('gives output without a line end too, every time', async () => {
        const sessions = await begin();
        await sessions.open({ command: ['python3', '-q'] });
        for (const word of ['abc', 'def', 'ghi']) {
          const { output } = await sessions.send('python3', { text: `print("${word}", end="")` });
          expect(output).toContain(word);
        }
      });

      test('returns what was printed before a program took the whole screen', async () => {
        const sessions = await begin();
        const { output } = await sessions.open({ command: 'echo before; less /etc/passwd' });
        expect(output).toMatch(/^before\n/);
      });

      test('serialises its callers', async () => {
        const sessions = await begin();
        // Without echo: otherwise an answer could come between a line and its Enter.
        await sessions.open({ command: 'stty -echo; cat', name: 'cat' });
        const texts = Array.from({ length: 20 }, (_, at) => `line-${at}`);
        await Promise.all(texts.map((text) => sessions.send('cat', { text, until: 'now' })));
        await sessions.wait();
        const { output } = await sessions.read('cat', { from: 0 });
        expect(output.split('\n').sort()).toEqual(texts.sort());
      });
    });

    describe('read', () => {
      test('gives each reader what is new to it, once', async () => {
        const sessions = await begin();
        await sessions.open({ command: 'echo one; cat' });
        const read = async (reader: string) => (await sessions.read('echo', {}, { reader })).output;
        expect(await read('person')).toBe('one');
        expect(await read('person')).toBe('');
        await sessions.send('echo', { text: 'two' });
        expect(await read('person')).toBe('two');
        expect(await read('agent')).toBe('');
      });

      test('reads any part again by its position, and searches', async () => {
        const sessions = await begin();
        const { session, position } = await sessions.open({ command: 'seq 1 500; cat' });
        const again = await sessions.read(session, { from: 0 });
        expect(again.output.split('\n')).toHaveLength(500);
        expect(again.position).toBe(position);
        const found = await sessions.read(session, { search: '^25.$' });
        expect(found.output).toContain('255');
      });

      test('cuts the middle of what is too much, counts it, and says where to read it', async () => {
        const sessions = await begin();
        const { session } = await sessions.open({ command: 'seq 1 5000; cat' });
        const { output, omitted } = await sessions.read(
          session,
          { maxTokens: 500 },
          { reader: 'other' },
        );
        const lines = output.split('\n');
        expect(lines.slice(0, 2)).toEqual(['1', '2']);
        expect(lines.slice(-2)).toEqual(['4999', '5000']);
        const cut = lines.findIndex((line) => line.startsWith('['));
        expect(omitted).toMatchObject({ lines: 5000 - lines.length + 1 });
        const rest = await sessions.read(session, { from: omitted!.from!, maxTokens: 500 });
        expect(rest.output.split('\n')[0]).toBe(String(cut + 1));
      });

      test('shows how a flood began and how it ended, and counts all between', async () => {
        const sessions = await begin();
        const { output, omitted } = await sessions.open({ command: 'seq 1 300000; cat' });
        const lines = output.split('\n');
        expect(lines.slice(0, 2)).toEqual(['1', '2']);
        expect(lines.slice(-2)).toEqual(['299999', '300000']);
        expect(omitted?.lines).toBe(300_000 - lines.length + 1);
      });

      test('shows the screen, what changed on it, and the raw bytes', async () => {
        const sessions = await begin();
        await sessions.open({ command: bash, env: { PS1: '$ ' }, rows: 5 });
        expect((await sessions.read('bash', { view: 'screen' })).output).toBe('$');
        await sessions.send('bash', { text: 'echo hi' });
        expect((await sessions.read('bash', { view: 'diff' })).output).toBe(
          '1: $ echo hi\n2: hi\n3: $',
        );
        expect((await sessions.read('bash', { view: 'raw' })).output).toContain('\u001b[?2004h$ ');
      });
    });

    describe('wait', () => {
      test('ends at a match in new output, never in the echo', async () => {
        const sessions = await begin();
        await sessions.open({ command: bash });
        const started = performance.now();
        const result = await sessions.send('bash', {
          text: `sh -c 'sleep 0.3; echo do""ne; exec tail -f /dev/null'`,
          match: 'done',
        });
        expect(result).toMatchObject({ matched: 'done', state: 'working' });
        expect(performance.now() - started).toBeGreaterThan(250);
        // Shells lose a C-c that comes while they start the next command of a list.
        await until(
          'the last command runs',
          async () => (await sessions.list())[0]?.foreground === 'tail',
        );
        const typed = await sessions.send('bash', { keys: 'C-c', text: '', submit: false });
        expect(typed.state).toBe('waiting');
        const echo = await sessions.send('bash', {
          text: 'sleep 60 # needle',
          match: 'needle',
          timeoutMs: 300,
        });
        expect(echo.timedOut).toBe(true);
      });

      test('finds a match also in the last output of a program', async () => {
        const sessions = await begin();
        await sessions.open({ command: bash });
        const result = await sessions.send('bash', {
          text: 'echo fini""shed; exit',
          match: 'finished',
        });
        expect(result).toMatchObject({ matched: 'finished' });
      });

      test('ends at the exit, at output, at a listening port, or now', async () => {
        const sessions = await begin();
        const gates = [makeGate(), makeGate()] as const;
        await sessions.open({
          command: `${gates[0].wait}; echo late; ${gates[1].wait}; exit 5`,
          timeoutMs: 1,
          name: 'a',
        });
        const atOutput = sessions.wait({ sessions: ['a'], until: 'output' });
        gates[0].open();
        expect(await atOutput).toMatchObject({ output: 'late' });
        const atExit = sessions.wait({ sessions: ['a'], until: 'exit' });
        gates[1].open();
        expect(await atExit).toMatchObject({ exitCode: 5 });
        const server =
          'import http.server; http.server.HTTPServer(("127.0.0.1", 0), None).serve_forever()';
        await sessions.open({ command: ['python3', '-c', server], timeoutMs: 1, name: 'b' });
        const up = await sessions.wait({ sessions: ['b'], until: 'listening' });
        expect(up).toMatchObject({ state: 'working', listening: [expect.any(Number)] });
        expect(await sessions.read('b', { until: 'now' })).toMatchObject({ state: 'working' });
      });

      test('ends at the first of many sessions', async () => {
        const sessions = await begin();
        const gate = makeGate();
        for (const [name, first] of [
          ['slow', 'sleep 1000'],
          ['quick', gate.wait],
        ] as const) {
          await sessions.open({ command: `${first}; echo ${name}; read x`, name, timeoutMs: 1 });
        }
        const atFirst = sessions.wait();
        gate.open();
        expect(await atFirst).toMatchObject({
          session: 'quick',
          output: 'quick',
          waitingFor: 'line',
        });
      });

      test('knows whose turn it is without a terminal, too', async () => {
        const sessions = await begin();
        const command = 'while read -r x; do sleep 0.1; echo "got $x"; done';
        const opened = await sessions.open({ command, tty: false, name: 'it' });
        expect(opened).toMatchObject({
          state: 'waiting',
          waitingFor: 'line',
          certainty: 'certain',
        });
        for (const text of ['one', 'two'])
          expect(await sessions.send('it', { text })).toMatchObject({
            output: `got ${text}`,
            certainty: 'certain',
          });
      });

      test('ends the input of a program without a terminal by C-d', async () => {
        const sessions = await begin();
        await sessions.open({ command: ['sort'], tty: false, timeoutMs: 1 });
        await sessions.send('sort', { text: 'b\na', until: 'now' });
        expect(await sessions.send('sort', { keys: 'C-d' })).toMatchObject({
          output: 'a\nb',
          exitCode: 0,
        });
      });

      test('for a match looks at the screen of a full-screen program', async () => {
        const sessions = await begin();
        const command = `printf '\\033[?1049hfirst'; read x; echo needle; read x`;
        await sessions.open({ command, name: 'full', timeoutMs: 1 });
        expect(await sessions.wait({ match: 'fir' })).toMatchObject({ matched: 'fir' });
        const found = await sessions.send('full', { text: '', keys: 'Enter', match: 'need.e' });
        expect(found).toMatchObject({ matched: 'needle' });
      });

      test('for a pattern that is too slow says that the text was typed', async () => {
        const sessions = await begin();
        await sessions.open({ command: ['cat'] });
        const input = { text: `${'a'.repeat(60)}!`, match: '^(a+)+$' };
        await expect(sessions.send('cat', input)).rejects.toMatchObject({
          code: 'PATTERN_TOO_SLOW',
          details: { typed: true },
        });
        expect(await sessions.read('cat', { from: 0 })).toMatchObject({
          output: expect.stringContaining('aaa!'),
        });
      });

      test('skips sessions whose exit has been reported, unless there are no others', async () => {
        const sessions = await begin();
        expect(await sessions.open({ command: ['true'] })).toMatchObject({ state: 'exited' });
        await sessions.open({ command: 'read x', name: 'reader' });
        expect(await sessions.wait()).toMatchObject({ session: 'reader' });
        await sessions.signal('reader', 'SIGKILL');
        expect(await sessions.wait({ until: 'exit' })).toMatchObject({ session: 'reader' });
        expect(await sessions.wait({ until: 'exit' })).toMatchObject({ state: 'exited' });
      });

      test('can be aborted, and the program runs on', async () => {
        const sessions = await begin();
        await sessions.open({ command: ['sleep', '1000'], timeoutMs: 1 });
        const controller = new AbortController();
        const waiting = sessions.wait({}, { signal: controller.signal });
        controller.abort(new Error('enough'));
        await expect(waiting).rejects.toThrow('enough');
        expect(await sessions.list()).toMatchObject([{ session: 'sleep', state: 'working' }]);
      });

      test('reports progress while it lasts', async () => {
        const sessions = await begin();
        await sessions.open({ command: 'echo begun; sleep 1000', name: 'x', timeoutMs: 1 });
        const reports: unknown[] = [];
        const enough = new AbortController();
        const onProgress = (progress: unknown) => reports.push(progress);
        const waiting = sessions.wait({}, { onProgress, signal: enough.signal });
        // One may be lost with its connection; the next comes.
        await until('a report came', () => reports.length > 0);
        enough.abort(new Error('enough'));
        await expect(waiting).rejects.toThrow('enough');
        expect(reports[0]).toMatchObject({ session: 'x', state: 'working', lastLine: 'begun' });
      });
    });

    describe('run', () => {
      const shell = { shell: '/bin/bash', clean: true, name: 'sh' };

      test('is refused where the shell waits for the rest of a command, and says so', async () => {
        const sessions = await begin();
        await sessions.open(shell);
        const unfinished = await sessions.send('sh', { text: 'echo "one' });
        expect(unfinished).toMatchObject({
          waitingFor: 'line',
          prompt: '> ',
          certainty: 'certain',
        });
        expect(await sessions.read('sh')).toMatchObject({ waitingFor: 'line' });
        await expect(sessions.run('echo two', { session: 'sh' })).rejects.toMatchObject({
          code: 'SESSION_BUSY',
        });
        const ended = await sessions.send('sh', { text: 'end"' });
        expect(ended).toMatchObject({ waitingFor: 'command', output: 'one\nend' });
        expect(await sessions.run('echo two', { session: 'sh' })).toMatchObject({ output: 'two' });
      });

      test('returns exactly the output of a command, its exit code and the folder', async () => {
        const sessions = await begin();
        await sessions.open(shell);
        const run = (command: string) => sessions.run(command, { session: 'sh' });
        expect(await run('echo one; echo two; false')).toMatchObject({
          session: 'sh',
          state: 'waiting',
          waitingFor: 'command',
          certainty: 'certain',
          output: 'one\ntwo',
          exitCode: 1,
          endMark: 'shell',
        });
        expect(await run('cd /usr')).toMatchObject({ output: '', exitCode: 0, cwd: '/usr' });
        // From when the start was read, which may be late on a busy machine.
        expect((await run('pwd; sleep 0.5')).tookMs).toBeGreaterThanOrEqual(100);
        expect((await run('printf "a\\tb  "')).output).toBe('a\tb  ');
      });

      test('the output of a command counts as read', async () => {
        const sessions = await begin();
        await sessions.open(shell);
        await sessions.run('echo one', { session: 'sh' });
        expect((await sessions.read('sh')).output).toBe('');
        expect((await sessions.send('sh', { text: 'echo two' })).output).toBe('two');
      });

      test('a command that asks returns its prompt, and can be answered', async () => {
        const sessions = await begin();
        await sessions.open(shell);
        const command = 'echo first; read -p "Your name: " n; echo "Hello, $n."';
        const question = await sessions.run(command, { session: 'sh' });
        expect(question).toMatchObject({
          state: 'waiting',
          waitingFor: 'line',
          prompt: 'Your name: ',
          output: 'first',
        });
        expect(question).not.toHaveProperty('exitCode');
        await expect(sessions.run('echo two', { session: 'sh' })).rejects.toMatchObject({
          code: 'SESSION_BUSY',
          details: { session: 'sh', running: command, asks: 'Your name: ' },
        });
        expect((await sessions.send('sh', { text: 'Ada' })).output).toBe('Hello, Ada.');
        expect((await sessions.run('echo two', { session: 'sh' })).output).toBe('two');
      });

      test('a command is left running when the time is up', async () => {
        const sessions = await begin();
        await sessions.open(shell);
        const command = 'echo on; sleep 1000';
        const late = await sessions.run(command, { session: 'sh', timeoutMs: 300 });
        expect(late).toMatchObject({ state: 'working', timedOut: true, output: 'on' });
        await expect(sessions.run('true', { session: 'sh' })).rejects.toMatchObject({
          code: 'SESSION_BUSY',
          details: { running: command },
        });
        await sessions.send('sh', { keys: 'C-c' });
        expect(await sessions.run('echo free', { session: 'sh' })).toMatchObject({
          output: 'free',
          exitCode: 0,
        });
      });

      test('the second of two runs at once is refused', async () => {
        const sessions = await begin();
        await sessions.open(shell);
        const gate = makeGate();
        const command = `${gate.wait}; echo first`;
        const first = sessions.run(command, { session: 'sh' });
        await expect(sessions.run('echo second', { session: 'sh' })).rejects.toMatchObject({
          code: 'SESSION_BUSY',
          details: { running: command },
        });
        gate.open();
        expect((await first).output).toBe('first');
      });

      test('without a session a new shell runs it, and is closed', async () => {
        const sessions = await begin();
        const cwd = openFolder();
        const result = await sessions.run('echo $PWD $A; cd /; (exit 3)', { cwd, env: { A: 'b' } });
        expect(result).toMatchObject({
          state: 'exited',
          output: `${cwd} b`,
          exitCode: 3,
          cwd: '/',
        });
        expect(await sessions.list()).toEqual([]);
      });

      test('a new shell stays open while its command asks, and if some output was cut', async () => {
        const sessions = await begin();
        const env = { SHELL: '/bin/bash' };
        const question = await sessions.run('read -p "Sure? " x; echo "$x."', { env });
        expect(question).toMatchObject({ state: 'waiting', prompt: 'Sure? ', output: '' });
        const answer = await sessions.send(question.session, { text: 'yes' });
        expect(answer).toMatchObject({ output: 'yes.', state: 'exited', exitCode: 0 });
        await sessions.close(question.session);

        const cut = await sessions.run('seq 100000', { maxTokens: 100 });
        expect(cut).toMatchObject({ exitCode: 0, omitted: { lines: expect.any(Number) } });
        const more = await sessions.read(cut.session, { from: cut.omitted!.from!, maxTokens: 100 });
        expect(more.output.split('\n')[0]).toBe(
          String(cut.output.split('\n').findIndex((line) => line.startsWith('[')) + 1),
        );
      });

      test('a session has a folder and variables of its own', async () => {
        const sessions = await begin();
        await sessions.open(shell);
        for (const more of [{ cwd: '/' }, { env: {} }]) {
          await expect(sessions.run('true', { session: 'sh', ...more })).rejects.toMatchObject({
            code: 'UNUSABLE_ARGUMENT',
          });
        }
        await expect(sessions.run(' ', { session: 'sh' })).rejects.toMatchObject({
          code: 'UNUSABLE_ARGUMENT',
        });
        await expect(sessions.run('true', { session: 'no' })).rejects.toMatchObject({
          code: 'SESSION_NOT_FOUND',
        });
      });

      test('a call that is aborted leaves the command running', async () => {
        const sessions = await begin();
        await sessions.open(shell);
        const controller = new AbortController();
        const running = sessions.run(
          'sleep 1000',
          { session: 'sh' },
          { signal: controller.signal },
        );
        await until('it runs', async () => (await sessions.list())[0]?.foreground === 'sleep');
        controller.abort();
        await expect(running).rejects.toThrow();
        expect(await sessions.list()).toMatchObject([{ foreground: 'sleep' }]);
      });
    });

    describe('bad input', () => {
      test.each([
        ['an unknown session', 'SESSION_NOT_FOUND', (s: Sessions) => s.read('nope')],
        ['an unknown session to close', 'SESSION_NOT_FOUND', (s: Sessions) => s.close('nope')],
        ['an empty send', 'EMPTY_SEND', (s: Sessions) => s.send('cat', {})],
        ['an unknown key', 'UNKNOWN_KEY', (s: Sessions) => s.send('cat', { keys: 'Hyper-Q' })],
        [
          'an unknown until',
          'UNKNOWN_UNTIL',
          (s: Sessions) => s.wait({ until: 'doomsday' as never }),
        ],
        [
          'an unknown view',
          'UNKNOWN_VIEW',
          (s: Sessions) => s.read('cat', { view: 'smell' as never }),
        ],
        [
          'a bad regular expression',
          'INVALID_PATTERN',
          (s: Sessions) => s.send('cat', { text: 'x', match: '(' }),
        ],
        [
          'a negative time',
          'UNUSABLE_NUMBER',
          (s: Sessions) => s.send('cat', { text: 'x', timeoutMs: -1 }),
        ],
        [
          'a grace of less than nothing',
          'UNUSABLE_NUMBER',
          (s: Sessions) => s.close('cat', { graceMs: -1 }),
        ],
        [
          'an unknown signal to close with',
          'UNKNOWN_SIGNAL',
          (s: Sessions) => s.close('cat', { signal: 'NOPE' as NodeJS.Signals }),
        ],
        [
          'a history of less than nothing',
          'UNUSABLE_NUMBER',
          (s: Sessions) => s.open({ command: ['cat'], history: { maxBytes: -1 } }),
        ],
        ['a wait for none', 'UNUSABLE_ARGUMENT', (s: Sessions) => s.wait({ sessions: [] })],
        ['a negative position', 'UNUSABLE_NUMBER', (s: Sessions) => s.read('cat', { from: -1 })],
        [
          'a line too long',
          'LINE_TOO_LONG',
          (s: Sessions) => s.send('cat', { text: 'x'.repeat(5000) }),
        ],
        ['no tokens', 'UNUSABLE_NUMBER', (s: Sessions) => s.read('cat', { maxTokens: 0 })],
        ['a name taken', 'NAME_TAKEN', (s: Sessions) => s.open({ command: ['cat'], name: 'cat' })],
        ['an odd name', 'UNUSABLE_NAME', (s: Sessions) => s.open({ name: '../x y' })],
        ['a bad size', 'INVALID_SIZE', (s: Sessions) => s.resize('cat', 0, 10)],
        ['a monstrous size', 'INVALID_SIZE', (s: Sessions) => s.resize('cat', 65535, 65535)],
        ['a size too tall', 'INVALID_SIZE', (s: Sessions) => s.resize('cat', 15, 10_001)],
        [
          'a bad size of a new session',
          'INVALID_SIZE',
          (s: Sessions) => s.open({ command: ['yes'], cols: 0, tty: false }),
        ],
        [
          'a monstrous size of a new session',
          'INVALID_SIZE',
          (s: Sessions) => s.open({ command: ['yes'], cols: 60_000, rows: 60_000 }),
        ],
        ['an unknown signal', 'UNKNOWN_SIGNAL', (s: Sessions) => s.signal('cat', 'SIGNOPE')],
        [
          'an unknown program',
          'PROGRAM_NOT_FOUND',
          (s: Sessions) => s.open({ command: ['no-such'] }),
        ],
      ])('%s is refused by code, and nothing is typed', async (_what, code, attempt) => {
        const sessions = await begin();
        await sessions.open({ command: ['cat'] });
        await expect(attempt(sessions)).rejects.toMatchObject({ code });
        expect((await sessions.list()).map(({ session }) => session)).toEqual(['cat']);
        expect(await sessions.send('cat', { text: 'still' })).toMatchObject({ output: 'still' });
      });

      test('a line that several sends make too long is refused when it becomes so', async () => {
        const sessions = await begin();
        await sessions.open({ command: ['cat'] });
        const half = { text: 'x'.repeat(3000), submit: false, until: 'now' } as const;
        await sessions.send('cat', half);
        await expect(sessions.send('cat', half)).rejects.toMatchObject({ code: 'LINE_TOO_LONG' });
        await expect(sessions.type('cat', Buffer.from(half.text))).rejects.toMatchObject({
          code: 'LINE_TOO_LONG',
        });
        const { output } = await sessions.send('cat', { text: 'y' });
        expect(output).toBe(`${half.text}y`);
        expect(await sessions.send('cat', half)).toMatchObject({ session: 'cat' });
      });

      test('an exited session can be read, and not typed to', async () => {
        const sessions = await begin();
        await sessions.open({ command: 'echo last words', name: 'gone' });
        await expect(sessions.send('gone', { text: 'x' })).rejects.toMatchObject({
          code: 'PROGRAM_EXITED',
        });
        await expect(sessions.resize('gone', 50, 10)).rejects.toMatchObject({
          code: 'PROGRAM_EXITED',
        });
        await expect(sessions.signal('gone', 'SIGINT')).rejects.toMatchObject({
          code: 'PROGRAM_EXITED',
          details: { session: 'gone', ending: 'exit code 0' },
        });
        expect((await sessions.read('gone', { from: 0 })).output).toBe('last words');
      });
    });

    test('resize and signal reach the program', async () => {
      const sessions = await begin();
      await sessions.open({ command: bash, env: { PS1: '$ ' } });
      await sessions.resize('bash', 61, 17);
      expect((await sessions.send('bash', { text: 'stty size' })).output).toBe('17 61');
      await sessions.send('bash', { text: 'sleep 1000', until: 'now' });
      await until(
        'sleep is in the foreground',
        async () => (await sessions.list())[0]?.foreground === 'sleep',
      );
      await sessions.signal('bash', 'INT');
      expect(await sessions.wait()).toMatchObject({ waitingFor: 'command' });
    });

    test('close ends a session, and its name is free', async () => {
      const sessions = await begin();
      await sessions.open({ command: ['cat'] });
      expect(await sessions.close('cat')).toEqual({ survivors: [] });
      await expect(sessions.read('cat')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
      expect((await sessions.open({ command: ['cat'] })).session).toBe('cat');
    });

    test('close in the middle of a wait ends the wait', async () => {
      const sessions = await begin();
      await sessions.open({ command: 'echo begun; sleep 1000', name: 'x', timeoutMs: 1 });
      const waiting = sessions.wait({ sessions: ['x'] });
      await sessions.close('x');
      expect(await waiting).toMatchObject({ state: 'exited' });
    });

    test('close twice at once is one close', async () => {
      const sessions = await begin();
      // It survives the hang-up, so that the second call comes while the first one is under way.
      await sessions.open({ command: `trap '' HUP; exec cat`, name: 'cat' });
      const closed: string[] = [];
      const stop = sessions.subscribe(({ type }) => type === 'closed' && closed.push(type));
      const both = await Promise.all([sessions.close('cat'), sessions.close('cat')]);
      expect(both).toEqual([{ survivors: [] }, { survivors: [] }]);
      await until('it is closed', () => closed.length > 0);
      expect(closed).toEqual(['closed']);
      stop();
    });

    test('only the actor that has taken the keyboard can type', async () => {
      const sessions = await begin();
      await sessions.open({ command: ['cat'] });
      await sessions.take('cat', { actor: 'ada' });
      await expect(sessions.send('cat', { text: 'x' })).rejects.toMatchObject({
        code: 'KEYBOARD_TAKEN',
        details: { session: 'cat', actor: 'ada' },
      });
      await expect(sessions.take('cat', { actor: 'bob' })).rejects.toMatchObject({
        code: 'KEYBOARD_TAKEN',
      });
      expect(await sessions.read('cat')).toMatchObject({ keyboard: 'ada', output: '' });
      await sessions.type('cat', Buffer.from('hi\n'), { actor: 'ada' });
      expect((await sessions.wait({ until: 'output' })).output).toContain('hi');
      await sessions.giveBack('cat', { actor: 'ada' });
      expect(await sessions.send('cat', { text: 'x' })).not.toHaveProperty('keyboard');
    });

    test('a subscriber gets every change of state, of one session if it wants', async () => {
      const sessions = await begin();
      await sessions.open({ command: ['cat'] });
      await sessions.open({ command: bash, env: { PS1: '$ ' } });
      const events: SessionEvent[] = [];
      const stop = sessions.subscribe((event) => events.push(event), 'bash');
      const states = () =>
        events.flatMap((event) => (event.type === 'state' ? event.situation : []));
      await until('it waits', () => states().at(-1)?.state === 'waiting');
      await sessions.send('bash', { text: 'sleep 1000', until: 'now' });
      await until('it works', () => states().at(-1)?.foreground === 'sleep');
      await sessions.send('bash', { keys: 'C-c' });
      await until('it waits again', () => states().at(-1)?.waitingFor === 'command');
      stop();
      expect(new Set(events.map(({ session }) => session))).toEqual(new Set(['bash']));
    });

    test('a subscriber to a session that does not exist gets a closed event', async () => {
      const sessions = await begin();
      const events: SessionEvent[] = [];
      const stop = sessions.subscribe((event) => {
        events.push(event);
        stop();
      }, 'nobody');
      await until('an event came', () => events.length > 0);
      await sessions.open({ command: ['cat'], name: 'nobody' });
      expect(events).toEqual([{ session: 'nobody', type: 'closed' }]);
    });

    test('a subscriber that asks for it is told of output without its bytes', async () => {
      const sessions = await begin();
      await sessions.open({ name: 'cat', command: ['cat'] });
      const events: SessionEvent[] = [];
      const stop = sessions.subscribe((event) => events.push(event), 'cat', ['printed']);
      const everything: string[] = [];
      const stopOther = sessions.subscribe(({ type }) => everything.push(type), 'cat');
      const { position } = await sessions.send('cat', { text: 'hello', match: 'hello' });
      const isTold = () =>
        events.some((event) => 'position' in event && event.position >= position);
      await until('it is told of all of it', isTold);
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['printed']));
      expect(everything).toContain('output');
      expect(everything).not.toContain('printed');
      stop();
      stopOther();
    });

    test('a list says in which folder each session is', async () => {
      const sessions = await begin();
      const cwd = realpathSync(openFolder());
      await sessions.open({ command: ['bash', '--norc'], cwd });
      await sessions.send('bash', { text: 'cd /' });
      await sessions.open({ command: ['cat'], cwd });
      const folders = (await sessions.list()).map(({ session, cwd }) => [session, cwd]);
      expect(folders).toEqual([
        ['bash', '/'],
        ['cat', cwd],
      ]);
    });

    test('a late subscriber gets the screen, then all that follows, without a gap', async () => {
      const sessions = await begin();
      const cwd = openFolder();
      await sessions.open({
        command: 'i=0; while read x; do seq $i $((i+99)); i=$((i+100)); done',
        cwd,
        name: 'seq',
      });
      await sessions.send('seq', { text: '' });
      const events: SessionEvent[] = [];
      const stop = sessions.subscribe((event) => events.push(event));
      await sessions.send('seq', { text: '' });
      stop();
      const screen = events.find((event) => event.type === 'screen');
      const output = events.filter((event) => event.type === 'output');
      expect(screen?.type === 'screen' && screen.dump).toContain('99');
      expect(output[0]?.position).toBe(screen?.type === 'screen' ? screen.position : undefined);
      let at = output[0]!.position;
      for (const event of output) {
        expect(event.position).toBe(at);
        at += event.bytes.length;
      }
      expect(Buffer.concat(output.map(({ bytes }) => bytes)).toString()).toContain('199\r\n');
    });
  });
