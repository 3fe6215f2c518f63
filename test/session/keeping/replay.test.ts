/** A session is made again from what was written down and noted, at any moment. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { KeeperLink } from '../../../src/keeper/keeper-link.ts';
import { SessionStore } from '../../../src/keeper/session-store.ts';
import { ownCaller } from '../../../src/session/caller.ts';
import type { KeptSession } from '../../../src/session/keeping/kept-session.ts';
import type { LeftSession } from '../../../src/session/keeping/left-session.ts';
import { SessionKeeping } from '../../../src/session/keeping/session-keeping.ts';
import { readSession } from '../../../src/session/keeping/written-session.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { Session } from '../../../src/session/session.ts';
import type { SessionSnapshot } from '../../../src/session/snapshot/session-snapshot.ts';
import { working } from '../../../src/state/verdict.ts';
import { duplicateDescriptor } from '../../../src/system/descriptors.ts';
import type { Terminal } from '../../../src/system/terminal/terminal.ts';
import { perform } from '../../fixtures/session-steps.js';
import { testWith } from '../../helpers/needs.ts';
import { type SessionStep, situations } from '../snapshot/situations.ts';

const word = { name: 'word', value: 'open sesame 42' };
const secrets = { names: () => ['word'], find: () => word };

/** Sessions that are kept, by a keeper of which only the memory of the sessions matters. */
const openKept = () => {
  const stores = new Map<number, number>();
  let last = 0;
  const link = {
    hold: ({ store }: { store: number }) => {
      stores.set(++last, duplicateDescriptor(store));
      return last;
    },
    dropSecond: () => {},
    release: () => {},
  } as unknown as KeeperLink;
  const sessions = new LocalSessions({ secrets });
  sessions.keepWith(new SessionKeeping(link));
  onTestFinished(async () => {
    await sessions.closeAll({ force: true, graceMs: 0 });
  });
  return { sessions, memory: () => stores.get(last)! };
};

const never = new Promise<never>(() => {});
const silentTerminal = {
  pid: 0,
  exited: never,
  ended: never,
  limitWork: () => {},
} as unknown as Terminal;

/** What another process would make of the memory. */
const remake = async (memory: number): Promise<Session> => {
  const store = SessionStore.open(duplicateDescriptor(memory));
  onTestFinished(() => store.close());
  const { body, records, missing } = store.contents();
  const snapshot = readSession(body) as SessionSnapshot;
  // It must not be written down: this memory is still used.
  const kept = {
    pages: store.pages,
    attachments: new Map(),
    attach: () => {},
    noteSecret: () => {},
    noteReplySettled: () => {},
    noteReading: () => {},
  } as unknown as KeptSession;
  const deps = {
    openedBy: ownCaller(),
    guard: () => undefined,
    emit: () => {},
    secretNames: () => [],
  };
  const left = { kept, adopt: () => silentTerminal } as unknown as LeftSession;
  return Session.takeOver(snapshot, left, { records, missing }, deps);
};

/** Without what an observation of the living program adds, and the moments. */
const comparable = (session: Session) => {
  session.screen.catchUp();
  const { shell, input, readers, hidden, echo, mask, ...rest } = session.snapshot();
  const screen = session.screen.snapshot();
  const { promptPlaces: _1, commandLine: _2, isUnmarked: _3, ...marks } = shell;
  const { lastPrompt: _4, ...typed } = input;
  const { anchors: _5, nextJumpedId: _6, ...lines } = screen.lines;
  const { name, command, isExitReported } = rest;
  const byName = readers.sort((one, other) => (one.name < other.name ? -1 : 1));
  const compared = {
    ...{ name, command, isExitReported, input: typed, mask, hidden, echo },
    marks,
  };
  return plain({ ...compared, readers: byName, screen: { ...screen, lines } });
};

const plain = (value: object) =>
  JSON.parse(
    JSON.stringify(value, (key, inner) => {
      if (inner instanceof Uint8Array) return Buffer.from(inner).toString('latin1');
      // Who has looked first at a row that the cursor has jumped over is not known.
      if (Array.isArray(inner) && inner[0]?.id < 0) return null;
      if (key === 'id' && inner < 0) return 'jumped over';
      return /^at$|[a-z]At$/.test(key) ? Math.round(inner) : inner;
    }),
  );

const anchorsOf = ({ screen }: Session) =>
  screen.snapshot().lines.anchors.map((anchor) => JSON.stringify(anchor));

/** As the daemon notes an answer. */
const answer = (session: Session, { call }: SessionStep, number: number) => {
  if (call === 'run') session.kept!.writeDownWith(`answer ${number}`, call);
  else session.kept!.noteAttachment(`answer ${number}`, call);
};

describe.each(situations)('$name', ({ open, before, after, needs = [] }) => {
  testWith(...needs)('is made again after each step as it is', async () => {
    const { sessions, memory } = openKept();
    await sessions.open({ cols: 80, rows: 24, ...open, name: 'it' });
    const session = sessions.find('it');
    for (const [number, step] of [...before, ...after].entries()) {
      await perform(sessions, [step]);
      if (session.terminal.undelivered !== undefined) continue;
      answer(session, step, number);
      const expected = comparable(session);
      const anchors = anchorsOf(session);
      const again = await remake(memory());
      expect({ step, ...comparable(again) }).toEqual({ step, ...expected });
      expect(anchorsOf(again).filter((each) => !anchors.includes(each))).toEqual([]);
    }
  });
});

test('a session to which nothing was written is made again', async () => {
  const { sessions, memory } = openKept();
  const options = { cols: 50, rows: 10, history: { maxLines: 70 }, tty: true };
  await sessions.open({ ...options, command: ['sleep', '1000'], name: 'it', timeoutMs: 0 });
  const session = sessions.find('it');
  const again = await remake(memory());
  expect(comparable(again)).toEqual(comparable(session));
  expect(again.screen.history.maxLines).toBe(70);
});

test('a long history is written once, and is there again', async () => {
  const { sessions, memory } = openKept();
  await sessions.open({ command: ['bash', '--norc'], name: 'it', env: { PS1: '$ ' } });
  const session = sessions.find('it');
  for (let round = 0; round < 4; round++) {
    await sessions.send('it', { text: `seq ${round}000 ${round + 6}000` });
    session.kept!.writeDown();
    const expected = comparable(session);
    expect(comparable(await remake(memory()))).toEqual(expected);
  }
});

test('a reader that has read half of the output goes on there', async () => {
  const { sessions, memory } = openKept();
  await sessions.open({ command: ['sh', '-c', 'read a; echo one; read b; echo two; read c'] });
  const session = sessions.all[0]!;
  await sessions.send('sh', { text: 'a' });
  session.kept!.noteAttachment('answer', 1);
  await sessions.type('sh', Buffer.from('b\r'));
  await sessions.wait({ match: 'two' }, { reader: 'other' });
  const again = await remake(memory());
  const request = { view: 'text', maxTokens: 1000 } as const;
  const { output } = await again.read(
    'agent',
    request,
    working('not known', 'it is not looked at'),
  );
  expect(output).toBe((await sessions.read('sh')).output);
});
