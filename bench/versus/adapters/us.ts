/** Repartee itself: the MCP server as it is built, sessions in its own process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolClient } from '../client.ts';
import { type Answer, type Conversation, PASSWORD, type Peer, type State } from '../peer.ts';

const MAIN = join(import.meta.dirname, '../../../src/cli/main.js');
const PACKAGE = join(import.meta.dirname, '../../../../package.json');

/** More than any task prints: a caller who wants all may say so. */
const EVERYTHING = 1_000_000;

export const us: Peer = {
  name: 'repartee',
  how: 'MCP, `mcp --embedded`: `terminal_run`, `terminal_open`, `terminal_send`, `terminal_wait`; told nothing',
  install: async () => (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version,
  start: async (surroundings) => {
    const env = { ...surroundings.env, REPARTEE_SECRET_BENCH: PASSWORD };
    const command = [process.execPath, MAIN, 'mcp', '--embedded'];
    const client = await ToolClient.connect(command, { ...surroundings, env });
    const call = async (tool: string, args: Record<string, unknown>): Promise<Answer> =>
      answerOf(await client.call(tool, args));

    const conversation = (session: string, first: Answer): Conversation => ({
      first,
      say: (line, _, limitMs) =>
        call('terminal_send', { session, text: line, timeout_ms: limitMs }),
      press: async (strokes, _, limitMs) => {
        let answer = first;
        for (const stroke of strokes) {
          const input =
            'key' in stroke ? { keys: stroke.key } : { text: stroke.text, submit: false };
          answer = await call('terminal_send', { session, ...input, timeout_ms: limitMs });
        }
        return answer;
      },
      saySecret: (_, limitMs) =>
        call('terminal_send', { session, secret: 'bench', timeout_ms: limitMs }),
      close: async () => {
        await client.call('terminal_close', { session, force: true });
      },
    });

    return {
      run: (command, limitMs, want = 'all') =>
        call('terminal_run', {
          command,
          timeout_ms: limitMs,
          ...(want === 'all' && { max_tokens: EVERYTHING }),
        }),
      open: async (command, _, limitMs) => {
        const opened = await client.call('terminal_open', { command, timeout_ms: limitMs });
        return conversation(String(opened.structured.session), answerOf(opened));
      },
      serve: async (command, _, limitMs) => {
        const opened = await client.call('terminal_open', { command, timeout_ms: 0 });
        const session = String(opened.structured.session);
        const wait = { sessions: [session], until: 'listening', timeout_ms: limitMs };
        const up = await client.call('terminal_wait', wait);
        const isUp = Array.isArray(up.structured.listening);
        return conversation(session, {
          ...answerOf(up),
          state: isUp ? 'waiting' : 'working',
          text: answerOf(opened).text + answerOf(up).text,
        });
      },
      schemas: () => client.schemas(() => true),
      stop: () => client.close(),
    };
  },
};

const answerOf = ({ structured, at }: { structured: Record<string, unknown>; at: number }) => ({
  text: String(structured.output ?? ''),
  state: structured.state as State,
  at,
  secret: structured.waiting_for === 'secret',
});
