/** A client that gives up a call without saying so, as Gemini CLI does on Esc. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { native } from '../../src/dialects/native/dialect.ts';
import type { ToolResult } from '../../src/dialects/tool.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';

describe('a call that was given up without a word', () => {
  let sessions: LocalSessions;
  let call: (name: string, args?: unknown) => Promise<ToolResult>;
  let laterMs = 0;
  beforeEach(() => {
    sessions = new LocalSessions();
    const { tools } = native(sessions);
    call = (name, args = {}) => tools.find((tool) => tool.name === name)!.run(args, {});
    laterMs = 0;
    const { now } = performance;
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + laterMs);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await sessions[Symbol.asyncDispose]();
  });

  /** A person has given up, and asks for something else. */
  const later = () => {
    laterMs += 5000;
  };

  test('does not take the output from the next call', async () => {
    await call('terminal_open', { command: 'cat', name: 'cat' });
    const abandoned = call('terminal_wait', {
      sessions: ['cat'],
      match: 'answer',
      timeout_ms: 30_000,
    });
    later();
    const next = await call('terminal_send', { session: 'cat', text: 'the answer' });
    expect(next.structured).toMatchObject({ output: 'the answer' });
    const { failed, text } = await abandoned;
    expect(failed).toBe(true);
    expect(text).toMatch(/A newer call on session "cat" has ended this wait.*\[WAIT_REPLACED\]$/);
  });

  test('has typed what it was to type', async () => {
    await call('terminal_open', { command: 'cat', name: 'cat' });
    const abandoned = call('terminal_send', { session: 'cat', text: 'one', match: 'never' });
    await call('terminal_wait', { sessions: ['cat'], until: 'output' });
    later();
    const next = await call('terminal_send', { session: 'cat', text: 'two' });
    expect(await abandoned).toMatchObject({ failed: true });
    expect(next.structured?.output).toMatch(/two$/);
  });

  test('is not one that was made at the same time, or on another session', async () => {
    await call('terminal_open', { command: 'cat', name: 'cat' });
    await call('terminal_open', { command: 'cat', name: 'other' });
    const elsewhere = call('terminal_wait', { sessions: ['other'], match: 'x' });
    later();
    const beside = call('terminal_wait', { sessions: ['cat'], match: 'x' });
    await call('terminal_send', { session: 'cat', text: 'x', until: 'now' });
    expect((await beside).structured).toMatchObject({ session: 'cat', matched: 'x' });
    await call('terminal_send', { session: 'other', text: 'x', until: 'now' });
    // This one was older, and is ended by the call on its session.
    expect((await elsewhere).failed).toBe(true);
  });

  test('may have had the answer: a read that finds nothing new says how to repeat it', async () => {
    await call('terminal_open', { command: 'cat', name: 'cat' });
    await call('terminal_send', { session: 'cat', text: 'before' });
    await call('terminal_send', { session: 'cat', text: 'the answer' });
    later();
    const { structured, text } = await call('terminal_read', { session: 'cat' });
    const { hint, output } = structured as { hint: string; output: string };
    expect(output).toBe('');
    expect(hint).toMatch(
      /^Nothing new since [5-9] s ago; "from":\d+ repeats what was given then\.$/,
    );
    expect(text).toContain(hint);
    const from = Number(/"from":(\d+)/.exec(hint)?.[1]);
    const again = await call('terminal_read', { session: 'cat', from });
    expect(again.structured?.output).toMatch(/^(?:the answer\n?)+$/);
  });
});
