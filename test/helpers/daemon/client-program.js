// A client that tests kill. It prints one line for each thing it has done, and never ends by itself.
import { connectDaemon } from '../../../dist/daemon/client/daemon-sessions.js';

const [task] = process.argv.slice(2);
const print = (word) => process.stdout.write(`${word}\n`);
const sessions = await connectDaemon();

const tasks = {
  /** In mid-conversation: it has read one answer and waits for another. */
  async conversation() {
    await sessions.open({ command: ['bash', '--norc'], name: 'talk', env: { PS1: '$ ' } });
    await sessions.send('talk', { text: 'x=41; echo first' });
    // The answer comes half a second after this client was killed, however busy the machine is.
    const untilKilled = `while kill -0 ${process.pid} 2>/dev/null; do sleep 0.05; done; sleep 0.5`;
    const typed = new Promise((resolve) => {
      const stop = sessions.subscribe(
        ({ bytes }) => {
          if (!Buffer.from(bytes).includes('\r')) return;
          stop();
          resolve();
        },
        'talk',
        ['input'],
      );
    });
    const waiting = sessions.send('talk', { text: `${untilKilled}; echo $((x+1)); echo done` });
    await typed;
    print('waiting');
    await waiting;
    print('answered');
  },
  /** Holds the keyboard and subscribes to events. */
  async hold() {
    await sessions.take('held', { actor: 'a person' });
    sessions.subscribe(() => {});
    await sessions.list();
    print('holding');
  },
  /** Random calls, as fast as it can. */
  async randomCalls() {
    const random = (below) => Math.floor(Math.random() * below);
    print('begun');
    while (true) {
      const name = `s${random(3)}`;
      const calls = [
        () => sessions.send(name, { text: `echo ${random(1000)}`, timeoutMs: random(50) }),
        () => sessions.read(name, { view: ['text', 'screen', 'raw'][random(3)], from: 0 }),
        () => sessions.list(),
        () => sessions.wait({ timeoutMs: random(50) }),
        () => sessions.take(name, { actor: `killed ${process.pid}` }),
        () => sessions.type(name, Buffer.from('\r')),
        () => void sessions.subscribe(() => {}),
        () => sessions.open({ command: ['cat'], name: 'shared' }),
      ];
      await Promise.allSettled([calls[random(calls.length)](), calls[random(calls.length)]()]);
    }
  },
};
await tasks[task]();
setInterval(() => {}, 1000);
