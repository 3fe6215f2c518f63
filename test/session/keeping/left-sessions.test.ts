/** Sessions that another process has left, before this one has gone on with them. */
import { writeSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { KeeperLink, ReceivedSession } from '../../../src/keeper/keeper-link.ts';
import { STORE_LAYOUT } from '../../../src/keeper/store-layout.ts';
import { SessionKeeping } from '../../../src/session/keeping/session-keeping.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import type { SessionEvent } from '../../../src/session/sessions.ts';
import { duplicateDescriptor } from '../../../src/system/descriptors.ts';
import { readWord } from '../../helpers/daemon/kept-store.ts';
import { isAlive } from '../../helpers/daemon/processes.ts';
import { until } from '../../helpers/until.ts';

/** Holds what it is given, as a keeper does, but in this process. */
const holdHere = () => {
  const held: ReceivedSession[] = [];
  const hold: KeeperLink['hold'] = ({ store, main, second }) => {
    const session = held.length + 1;
    held.push({
      session,
      store: duplicateDescriptor(store),
      main: duplicateDescriptor(main),
      second: second && duplicateDescriptor(second),
    });
    return session;
  };
  const link = { hold, dropSecond: () => {}, release: () => {} } as unknown as KeeperLink;
  return { held, keeping: new SessionKeeping(link) };
};

/** Opens shells of these names, and leaves them. `after`: what is to go on with them. */
const leave = async (names: string[], after = new LocalSessions()) => {
  const { held, keeping } = holdHere();
  const before = new LocalSessions();
  before.keepWith(keeping);
  for (const name of names) {
    await before.open({ command: ['sh'], name });
    await before.send(name, { text: `echo this is ${name}` });
  }
  const programs = before.all.map(({ terminal }) => terminal.pid);
  // As if its process had ended.
  for (const { terminal } of before.all) terminal.pause();
  const lost: [name: string, problem: string][] = [];
  after.keepWith(keeping);
  for (const received of held)
    after.takeOver(keeping.takeOver(received)!, {
      onRestored: () => {},
      onLost: ({ name }, problem) => void lost.push([name, problem]),
    });
  onTestFinished(async () => void (await after.closeAll({ graceMs: 0, force: true })));
  return { after, held, programs, lost };
};

test('a session is gone on with when it is asked for, and the others are left', async () => {
  const { after } = await leave(['one', 'two', 'three']);
  expect((await after.read('two', { view: 'screen' })).output).toContain('this is two');
  expect(after.left.waiting).toEqual(['one', 'three']);
  expect((await after.send('two', { text: 'echo $((6*7))' })).output).toContain('42');
  expect(after.keptAs('three')).toBeDefined();
  expect(after.left.waiting).toEqual(['one']);
});

test('what was let go is not gone on with, also if its holder has not heard of that', async () => {
  const { held, keeping } = holdHere();
  const before = new LocalSessions();
  before.keepWith(keeping);
  onTestFinished(async () => void (await before.closeAll({ force: true })));
  await before.open({ command: ['sh'], name: 'closed' });
  await before.close('closed');
  await before.open({ command: ['sh', '-c', 'exit 7'], name: 'ended', timeoutMs: 0 });
  await before.wait({ sessions: ['ended'], until: 'exit' });
  const [closed, ended] = held;
  expect(ended!.second).toBeDefined();
  expect(keeping.takeOver(closed!)).toBeUndefined();
  expect(keeping.takeOver(ended!)?.name).toBe('ended');
  expect(ended!.second).toBeUndefined();
});

test('a list and a wait for any go on with all', async () => {
  const { after } = await leave(['one', 'two', 'three']);
  expect(['one', 'two', 'three']).toContain((await after.wait()).session);
  expect(after.left.waiting).toEqual([]);
  const { after: another, programs } = await leave(['four', 'five']);
  expect((await another.list()).map(({ pid }) => pid)).toEqual(programs);
});

test('whoever subscribes to all hears of each session once, and then its screen', async () => {
  const { after } = await leave(['one', 'two']);
  const events: SessionEvent[] = [];
  after.subscribe((event) => events.push(event), undefined, ['opened', 'screen']);
  const heard = () => events.map(({ session, type }) => `${session} ${type}`);
  expect(heard()).toEqual([]);
  await after.list();
  expect(heard()).toEqual(['one opened', 'one screen', 'two opened', 'two screen']);
});

test('whoever subscribes to a session gets its screen at once', async () => {
  const { after } = await leave(['one', 'two']);
  const events: SessionEvent[] = [];
  after.subscribe((event) => events.push(event), 'two', ['screen']);
  expect(events).toMatchObject([{ session: 'two', type: 'screen' }]);
  expect(after.left.waiting).toEqual(['one']);
});

test('their names are taken', async () => {
  const { after } = await leave(['one', 'two']);
  const opened = after.open({ command: ['sh'], name: 'two' });
  await expect(opened).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  await expect(after.rename('one', 'two')).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  expect(after.left.waiting).toEqual(['two']);
  const { session } = await after.open({ command: ['sh'] });
  expect(session).toBe('sh');
  await expect(after.read('none')).rejects.toMatchObject({
    details: { open: ['one', 'sh', 'two'] },
  });
});

test('they count as open sessions, and one that has exited makes room', async () => {
  const { after, programs } = await leave(['one', 'two'], new LocalSessions({ maxSessions: 2 }));
  await expect(after.open({ command: ['sh'] })).rejects.toMatchObject({
    code: 'TOO_MANY_SESSIONS',
  });
  const {
    after: next,
    programs: others,
    held,
  } = await leave(['three', 'four'], new LocalSessions({ maxSessions: 2 }));
  process.kill(others[1]!, 'SIGKILL');
  await until('its end is noted', () => readWord(held[1]!.store, STORE_LAYOUT.exit) !== 0);
  expect((await next.open({ command: ['sh'] })).session).toBe('sh');
  expect((await next.list()).map(({ session }) => session)).toEqual(['three', 'sh']);
  expect(programs.filter(isAlive)).toEqual(programs);
});

test('it is known who works in them', async () => {
  const { after, programs } = await leave(['one', 'two']);
  const terminalOf = (name: string) => after.terminals.find((each) => each.name === name)!.terminal;
  const left = terminalOf('one');
  expect(left.pid).toBe(programs[0]);
  after.find('one');
  const { pid, startTime, mark, device } = terminalOf('one');
  expect(left).toEqual({ pid, startTime, mark, device, isSandbox: false });
});

test('all are closed', async () => {
  const { after, programs } = await leave(['one', 'two']);
  expect(await after.closeAll({ graceMs: 0 })).toEqual({ survivors: [] });
  expect(programs.filter(isAlive)).toEqual([]);
});

test('one of which nothing can be made is set aside, and can be closed', async () => {
  const { after, held, programs, lost } = await leave(['one', 'two']);
  // The checksum of its second part, whichever of the two counts.
  for (const area of [1, 2])
    writeSync(held[0]!.store, Buffer.from('damage'), 0, 4, area * STORE_LAYOUT.base + 12);
  expect((await after.list()).map(({ session }) => session)).toEqual(['two']);
  expect(lost).toEqual([['one', 'its base is damaged']]);
  expect(isAlive(programs[0]!)).toBe(true);
  await expect(after.read('one')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  const opened = after.open({ command: ['sh'], name: 'one' });
  await expect(opened).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  const events: SessionEvent[] = [];
  after.subscribe((event) => events.push(event), undefined, ['closed']);
  expect(await after.close('one', { graceMs: 0 })).toEqual({ survivors: [] });
  expect(events).toMatchObject([{ session: 'one', type: 'closed' }]);
  expect(isAlive(programs[0]!)).toBe(false);
  expect((await after.open({ command: ['sh'], name: 'one' })).session).toBe('one');
});
