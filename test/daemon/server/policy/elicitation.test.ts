/** A client that can ask its user is sent the policy's questions, and whoever answers first decides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import type { RuleText } from '../../../../src/policy/policy.ts';
import { personInTmux } from '../../../helpers/cli/tmux.ts';
import { type OwnDaemon, ownDaemon } from '../../../helpers/daemon/own-daemon.ts';
import { writePolicy } from '../../../helpers/daemon/write-policy.ts';
import {
  caller,
  connectOverStdio,
  type Era,
  eras,
  httpServer,
  isModern,
  MAIN,
} from '../../../helpers/mcp/doors.ts';
import { testWith } from '../../../helpers/needs.ts';
import { until } from '../../../helpers/until.ts';

type Answer = (form: ElicitRequestFormParams, signal: AbortSignal) => Promise<ElicitResult>;

const askAboutRm: RuleText = { command: '^rm ', then: 'ask', why: 'it removes files' };

const accept = (answer: string): ElicitResult => ({ action: 'accept', content: { answer } });

const clientThatAsks = (era: Era, answer: Answer) => {
  const version = isModern(era)
    ? { versionNegotiation: { mode: { pin: era } } }
    : { supportedProtocolVersions: [era] };
  const elicitation = era === '2025-06-18' ? {} : { form: {} };
  const client = new Client(
    { name: 'a test', version: '1' },
    { ...version, capabilities: { elicitation } },
  );
  const forms: ElicitRequestFormParams[] = [];
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => {
    forms.push(params as ElicitRequestFormParams);
    return answer(params as ElicitRequestFormParams, mcpReq.signal);
  });
  return { client, forms };
};

const begin = async (era: Era, answer: Answer, daemon: OwnDaemon = ownDaemon()) => {
  writePolicy(daemon, [askAboutRm]);
  const { client, forms } = clientThatAsks(era, answer);
  await connectOverStdio(client, daemon.env);
  onTestFinished(() => client.close());
  const audit = () =>
    readFileSync(daemon.paths.audit, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ what }) => what === 'approval');
  return { client, forms, daemon, audit, call: caller(client) };
};

test.each(eras)('the user of a client of era %s is asked, and answers', async (era) => {
  const answers = ['once', 'session', 'refuse'];
  const { forms, audit, call } = await begin(era, async () => accept(answers.shift()!));
  const run = (command: string) => call('terminal_run', { command });
  expect((await run('rm -f /nonexistent/a && echo gone')).structured).toMatchObject({
    output: 'gone',
    exit_code: 0,
  });
  expect(forms).toHaveLength(1);
  const { message, requestedSchema } = forms[0]!;
  expect(message).toContain('a test 1 (mcp) wants to run: rm -f /nonexistent/a && echo gone');
  expect(message).toContain('rule 1: it removes files');
  // A rule is for everybody, and is made at a person's own terminal.
  expect(JSON.stringify(requestedSchema)).not.toContain('"rule"');
  await call('terminal_open', { name: 'sh', command: 'exec bash --norc --noprofile' });
  const send = (text: string) => call('terminal_send', { session: 'sh', text });
  expect((await send('rm -f /nonexistent/b; echo $((6 * 7))')).text).toContain('42');
  expect(forms[1]!.message).toContain('session sh, to bash');
  // The second answer was for the session.
  expect((await send('rm -f /nonexistent/b; echo $((6 * 7))')).text).toContain('42');
  expect(forms).toHaveLength(2);
  const refused = await send('rm -f /nonexistent/c');
  expect(refused).toMatchObject({ failed: true });
  expect(refused.text).toContain('a person was asked, and refused it');
  expect(audit().filter(({ outcome }) => outcome !== 'asked')).toMatchObject(
    ['once', 'session', 'refuse'].map((outcome) => ({
      outcome,
      by: 'the user of a test 1 (mcp)',
      door: 'mcp',
    })),
  );
});

for (const era of eras)
  testWith('tmux')(
    `an answer at a terminal counts while the form of era ${era} is open`,
    async () => {
      let isWithdrawn = false;
      let close = (_: ElicitResult) => {};
      const { forms, audit, call, daemon } = await begin(era, (_, signal) => {
        signal.addEventListener('abort', () => {
          isWithdrawn = true;
        });
        return new Promise((resolve) => {
          close = resolve;
        });
      });
      const person = await personInTmux({ ...process.env, ...daemon.env });
      const running = call('terminal_run', { command: 'rm -f /nonexistent/a; echo gone' });
      await until('the form is shown', () => forms.length === 1);
      await person.enter('repartee approvals 1 once; echo "[$?]"');
      await person.sees(/^\[0\]$/);
      // A 2025 client is told that it may close the form; a 2026 client finds out with its answer.
      if (isModern(era)) close(accept('refuse'));
      else await until('the form is withdrawn', () => isWithdrawn);
      expect((await running).structured).toMatchObject({ output: 'gone' });
      expect(audit()).toMatchObject([{ outcome: 'asked' }, { outcome: 'once', door: 'cli' }]);
    },
  );

for (const era of eras)
  testWith('tmux')(`a form of era ${era} that is closed answers nothing`, async () => {
    const { forms, call, daemon } = await begin(era, async () => ({ action: 'cancel' }));
    const person = await personInTmux({ ...process.env, ...daemon.env });
    const running = call('terminal_run', { command: 'rm -f /nonexistent/a; echo gone' });
    await until('the form is shown', () => forms.length === 1);
    await person.enter('repartee approvals 1 once; echo "[$?]"');
    await person.sees(/^\[0\]$/);
    expect((await running).structured).toMatchObject({ output: 'gone' });
  });

test.each(['2025-11-25', '2026-07-28'] as const)('era %s is asked over HTTP, too', async (era) => {
  const daemon = ownDaemon();
  writePolicy(daemon, [askAboutRm]);
  const server = await httpServer([], daemon.env);
  const { client, forms } = clientThatAsks(era, async () => accept('once'));
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { authorization: `Bearer ${server.token}` } },
    }),
  );
  onTestFinished(async () => {
    await client.close();
    await server.stop();
  });
  const told = await caller(client)('terminal_run', { command: 'rm -f /nonexistent/a; echo gone' });
  expect(told.structured).toMatchObject({ output: 'gone' });
  expect(forms).toHaveLength(1);
});

testWith('tmux')('a client that runs inside a session is never asked', async () => {
  const daemon = ownDaemon();
  writePolicy(daemon, [askAboutRm]);
  const script = `
    import { Client } from '@modelcontextprotocol/client';
    import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
    const client = new Client(
      { name: 'inside', version: '1' },
      { capabilities: { elicitation: { form: {} } } },
    );
    let forms = 0;
    client.setRequestHandler('elicitation/create', () => {
      forms++;
      return { action: 'accept', content: { answer: 'once' } };
    });
    const env = process.env;
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: ['${MAIN}', 'mcp'], env }),
    );
    const arguments_ = { command: 'rm -f /nonexistent/a' };
    const { content } = await client.callTool({ name: 'terminal_run', arguments: arguments_ });
    console.log('forms:', forms, content[0].text);
    await client.close();`;
  await using outside = await daemon.connect();
  const repository = join(import.meta.dirname, '../../../..');
  const command = [process.execPath, '--input-type=module', '-e', script];
  await outside.open({ name: 'outer', command, cwd: repository, env: daemon.env, timeoutMs: 0 });
  await until('a person is asked', async () => (await outside.approvals()).waiting.length === 1);
  const person = await personInTmux({ ...process.env, ...daemon.env });
  await person.enter('repartee approvals 1 refuse; echo "[$?]"');
  await person.sees(/^\[0\]$/);
  const { output } = await outside
    .wait({ sessions: ['outer'], until: 'exit' })
    .then(() => outside.read('outer', { from: 0 }));
  expect(output).toContain('forms: 0');
  expect(output).toContain('refused it');
});
