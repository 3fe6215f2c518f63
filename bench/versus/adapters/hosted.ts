/**
 * Libraries are not servers: each gets a small host in its own language, which offers its calls over
 * MCP, so that the same client drives it and pays the same.
 *
 * A host has the tools `run`, `open`, `say`, `press`, `serve` and `close`; it answers with JSON in
 * the text: `{id, text, state, secret}`.
 */
import { join } from 'node:path';
import { ToolClient } from '../client.ts';
import {
  type Answer,
  type Conversation,
  PASSWORD,
  type Seat,
  type State,
  type Surroundings,
} from '../peer.ts';
import { answerIn } from '../polling.ts';

export const hostFile = (name: string): string =>
  join(import.meta.dirname, '../../../../bench/versus/hosts', name);

interface HostAnswer {
  id?: string;
  text: string;
  state: State;
  secret?: boolean;
}

const KEYS = { Enter: '\r', Escape: '\u001b' } as const;

export const hosted = async (
  command: readonly string[],
  surroundings: Surroundings,
): Promise<Seat> => {
  const client = await ToolClient.connect(command, surroundings);
  const ask = async (tool: string, args: Record<string, unknown>) => {
    const { text, at } = await client.call(tool, args);
    return { ...(JSON.parse(text) as HostAnswer), at };
  };
  const answer = ({ text, state, secret, at }: HostAnswer & { at: number }): Answer => ({
    text: text.replaceAll('\r', ''),
    state,
    at,
    told: state === 'waiting',
    ...(secret && { secret }),
  });

  const conversation = (id: string, first: Answer): Conversation => ({
    first,
    async say(line, expected, limitMs) {
      const said = answer(await ask('say', { id, line, ...expected, limitMs }));
      return { ...said, text: answerIn(said.text, line, expected) };
    },
    async press(strokes, expected, limitMs) {
      const parts = strokes.map((stroke) => ('key' in stroke ? KEYS[stroke.key] : stroke.text));
      return answer(await ask('press', { id, parts, ...expected, limitMs }));
    },
    async saySecret(expected, limitMs) {
      return answer(await ask('say', { id, line: PASSWORD, ...expected, limitMs }));
    },
    async close() {
      await ask('close', { id });
    },
  });

  return {
    run: async (command, limitMs, want = 'all') =>
      answer(await ask('run', { command, limitMs, want })),
    async open(command, expected, limitMs) {
      const opened = await ask('open', { command, ...expected, limitMs });
      return conversation(opened.id ?? '', answer(opened));
    },
    async serve(command, line, limitMs) {
      const opened = await ask('open', { command, prompt: line, limitMs });
      return conversation(opened.id ?? '', answer(opened));
    },
    stop: () => client.close(),
  };
};
