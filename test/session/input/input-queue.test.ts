import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Screen } from '../../../src/screen/screen.ts';
import { actorOf } from '../../../src/session/caller.ts';
import { InputQueue, type InputQueueDeps } from '../../../src/session/input/input-queue.ts';
import type { VerdictListener } from '../../../src/state/watcher.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Types two lines. The test sets the program's state with `emitState`. */
const typeTwoLines = async () => {
  const written: string[] = [];
  const listeners = new Set<VerdictListener>();
  const deps = {
    sessionName: () => 'one',
    terminal: {
      enter: '\n',
      write: async (bytes: Uint8Array) => void written.push(Buffer.from(bytes).toString()),
    },
    screen: new Screen({ cols: 80, rows: 24 }),
    output: { flush: () => {}, inText: (text: string) => text },
    guard: async () => undefined,
    onTyping: () => {},
    onTyped: () => {},
    watcher: {
      onInput: () => {},
      watch: (listener: VerdictListener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  } as unknown as InputQueueDeps;
  const typed = new InputQueue(deps).type({ text: 'first\nsecond' }, actorOf({}));
  const emitState = async (state: string) => {
    for (const listener of listeners) listener({ state } as Parameters<VerdictListener>[0]);
    await settled();
  };
  await settled();
  return { written, listeners, typed, emitState };
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

const first = ['first\n'];
const both = [...first, 'second\n'];

test.each(['waiting', 'exited'])(
  'a second line is typed when the program no longer works on the first, but is %s',
  async (state) => {
    const { written, listeners, typed, emitState } = await typeTwoLines();
    await emitState('working');
    expect(written).toEqual(first);
    await emitState(state);
    await typed;
    expect(written).toEqual(both);
    expect(listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test('a second line is typed after half a second, whatever the program still does', async () => {
  const { written, listeners, typed } = await typeTwoLines();
  vi.advanceTimersByTime(499);
  await settled();
  expect(written).toEqual(first);
  vi.advanceTimersByTime(1);
  await typed;
  expect(written).toEqual(both);
  expect(listeners.size).toBe(0);
});
