/** A daemon with a keeper, killed: its sessions go on. */
import { expect, test } from 'vitest';
import { connectKept } from '../helpers/daemon/kept-daemon.ts';
import { killDaemon } from '../helpers/daemon/kill-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { makeGate } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

test('a shell goes on where it was: its screen, its variables, what was not read yet', async () => {
  const { daemon, connect, sessions } = await connectKept();
  await sessions.open({ command: ['bash', '--norc'], name: 'sh' });
  await sessions.send('sh', { text: 'x=42; echo first' });
  const [before] = await sessions.list();
  await sessions.send('sh', { text: 'echo unread', until: 'now' });
  await killDaemon(daemon);
  await using again = await connect();
  const [after] = await again.list();
  expect(after).toMatchObject({ session: 'sh', pid: before!.pid, state: 'waiting' });
  await again.wait({ sessions: ['sh'] });
  const { output } = await again.send('sh', { text: 'echo $x' });
  expect(output).toContain('42');
  const { output: screen } = await again.read('sh', { view: 'screen' });
  expect(screen).toContain('first');
  await again.close('sh');
  expect(await again.list()).toEqual([]);
});

test('a client that waits, reads and listens goes on as if nothing had happened', async () => {
  const { daemon, sessions } = await connectKept();
  const { pid } = await sessions.open({ command: ['sh'], name: 'sh' }).then(async () => {
    const [summary] = await sessions.list();
    return summary!;
  });
  const events: string[] = [];
  sessions.subscribe((event) => events.push(event.type), 'sh');
  const waiting = sessions.wait({ sessions: ['sh'], match: 'it is here', timeoutMs: 60_000 });
  await killDaemon(daemon);
  expect(await sessions.list()).toMatchObject([{ session: 'sh', pid }]);
  await sessions.send('sh', { text: 'echo it is "here"' });
  expect(await waiting).toMatchObject({ session: 'sh' });
  await until('it hears of the output', () => events.includes('output'));
});

test('a call that was begun is not done twice, and its outcome is told as unknown', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['bash', '--norc'], name: 'sh' });
  const gate = makeGate();
  const sent = sessions.send('sh', { text: `echo once; ${gate.wait}` });
  const told = expect(sent).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await sessions.wait({ sessions: ['sh'], match: '^once' });
  await killDaemon(daemon);
  await told;
  gate.open();
  await sessions.wait({ sessions: ['sh'] });
  const { output } = await sessions.read('sh', { view: 'raw', from: 0 });
  expect(output.match(/^once/gm)).toHaveLength(1);
  expect(output.match(/echo once/g)).toHaveLength(1);
});

test('what a client has read it does not get again, and what it has not it gets', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['sh', '-c', 'cat; read x'], name: 'cat' });
  const said: string[] = [];
  for (let round = 0; round < 4; round++) {
    said.push((await sessions.send('cat', { text: `read ${round}` })).output);
    await sessions.type('cat', Buffer.from(`later ${round}\r`));
    await killDaemon(daemon);
    await until('the rest is there', async () => {
      said.push((await sessions.read('cat')).output);
      return said.join('\n').includes(`later ${round}`);
    });
  }
  const lines = said.join('\n').split('\n');
  for (let round = 0; round < 4; round++)
    expect(lines.filter((line) => line === `read ${round}`)).toHaveLength(1);
});

test('the exit of a program is told with its code, also if it ended without a daemon', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['sh', '-c', 'read x; exit 7'], name: 'seven' });
  await sessions.open({ command: ['sh', '-c', 'read x; kill -KILL $$'], name: 'killed' });
  await sessions.open({ command: ['sh', '-c', 'echo gone; exit 3'], name: 'three' });
  await sessions.wait({ sessions: ['three'], until: 'exit' });
  const [seven, killed] = await sessions.list();
  await killDaemon(daemon);
  expect(await sessions.wait({ sessions: ['three'], until: 'exit' })).toMatchObject({
    exitCode: 3,
  });
  expect(await sessions.send('seven', { text: '', until: 'exit' })).toMatchObject({ exitCode: 7 });
  expect(await sessions.send('killed', { text: '', until: 'exit' })).toMatchObject({
    signal: 'SIGKILL',
  });
  expect([isAlive(seven!.pid), isAlive(killed!.pid)]).toEqual([false, false]);
  expect((await sessions.read('three', { view: 'raw', from: 0 })).output).toContain('gone');
});

test('closing ends the programs that were adopted, and names neither keeper nor daemon', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({
    command: ['sh', '-c', 'sleep 1000 & sleep 1000'],
    name: 'two',
    timeoutMs: 0,
  });
  await killDaemon(daemon);
  const [{ pid } = { pid: 0 }] = await sessions.list();
  expect(await sessions.close('two', { force: true })).toEqual({ survivors: [] });
  expect(isAlive(pid)).toBe(false);
  expect(await sessions.list()).toEqual([]);
});
