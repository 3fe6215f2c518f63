// @ts-check
/**
 * The library on one page. Learn from it: a call returns when it is your turn, with what the program
 * said and whose turn it is, so nothing here sleeps or looks for a prompt; a program that asks, works
 * or has ended says so in `state`; and sessions go on side by side until they are closed.
 */
import { LocalSessions } from 'repartee';

const sessions = new LocalSessions();

// A conversation: what was typed and the prompt are not part of the answer.
const { session: python } = await sessions.open({ command: ['python3', '-q'] });
const sum = await sessions.send(python, { text: 'sum(range(101))' });
console.log('answer:', sum.output);

// A shell command that needs no conversation: exactly its output, its exit code, its folder.
const command = await sessions.run('cd / && echo here && false');
console.log('ran:', command.output, command.exitCode, command.cwd);

// Whose turn it is, and what for. A password is asked for otherwise than a line.
const line = await sessions.send(python, { text: 'name = input("Your name: ")' });
console.log(`${line.state} for a ${line.waitingFor} at`, line.prompt);
await sessions.send(python, { text: 'Ada' });
const secret = await sessions.send(python, { text: 'import getpass; p = getpass.getpass()' });
console.log(`${secret.state} for a ${secret.waitingFor} at`, secret.prompt);
await sessions.send(python, { keys: 'C-c' });

// A time limit ends the wait, never the program.
const busy = await sessions.send(python, { text: 'import time; time.sleep(60)', timeoutMs: 300 });
console.log(busy.state, busy.timedOut ? 'and time is up' : '');
await sessions.send(python, { keys: 'C-c' });

// The first of several for which something holds.
await sessions.open({ name: 'slow', command: 'sleep 30', timeoutMs: 0 });
await sessions.open({ name: 'quick', command: 'sleep 0.2; echo done; exit 3', timeoutMs: 0 });
const first = await sessions.wait({ sessions: ['slow', 'quick'], until: 'exit' });
console.log(first.session, 'ended first, with exit code', first.exitCode, 'and', first.output);

// A full-screen program is read as the screen a person would see.
await sessions.open({ name: 'pager', command: 'seq 1 1000 | less', rows: 5, cols: 20 });
const page = await sessions.send('pager', { keys: 'Space', view: 'screen' });
console.log(page.output.split('\n').join(' | '));

// What cannot be done is refused by a code, in words that say what to do instead.
await sessions.send('nobody', { text: 'hi' }).catch(({ code, message }) => {
  console.log(code, message);
});

await sessions.closeAll();
