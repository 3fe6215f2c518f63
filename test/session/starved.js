// Has sessions, and not one descriptor left to look at them with.
import { closeSync, openSync } from 'node:fs';
import { closeKept } from '../../dist/pty/proc.js';
import { LocalSessions } from '../../dist/session/local-sessions.js';

const sessions = new LocalSessions();
const mortal = new LocalSessions({ lifetimeMs: 1000 });
const told = { shell: new Set(), asker: new Set(), cat: new Set() };
const hear = ({ session, type }) => told[session].add(type);

const script = 'read x; echo $x; read -p "next: " x';
await sessions.open({ command: ['bash', '--norc', '-c', script], name: 'asker' });
await sessions.open({ shell: '/bin/bash', clean: true, name: 'shell', timeoutMs: 0 });
let beganMs;
do {
  await mortal.closeAll({ graceMs: 0 });
  beganMs = performance.now();
  await mortal.open({ command: ['cat'], name: 'cat', timeoutMs: 0 });
  // On a busy machine its life may be over before the descriptors are.
} while (performance.now() - beganMs > 500);
for (const each of [sessions, mortal]) each.subscribe(hear);
for (const types of Object.values(told)) types.clear();

// Or they would be free a moment later.
closeKept();
const taken = [];
try {
  for (;;) taken.push(openSync('/dev/null'));
} catch (error) {
  console.log(error.code);
}
await sessions.type('asker', Buffer.from('hi\n'));
await sessions.type('shell', Buffer.from('true\r'));
const has = ([session, type]) => told[session].has(type);
const awaited = Object.entries({ asker: 'state', shell: 'mark', cat: 'trouble' });
while (!awaited.every(has)) await new Promise((go) => setTimeout(go, 10));

for (const fd of taken) closeSync(fd);
for (const each of [sessions, mortal]) console.log(await each.closeAll({ graceMs: 0 }));
