// A client that is to be killed. It says what it has done, one line each, and goes on for ever.
import { connectDaemon } from '../../../dist/daemon/client/daemon-sessions.js';

const [task] = process.argv.slice(2);
const say = (word) => process.stdout.write(`${word}\n`);
const sessions = await connectDaemon();

const tasks = {
  /** In mid-conversation: an answer has been read, another one is being waited for. */
  async conversation() {
    await sessions.open({ command: ['bash', '--norc'], name: 'talk', env: { PS1: '$ ' } });
    await sessions.send('talk', { text: 'x=41; echo first' });
    // The answer comes when this client has been gone for a moment, however busy the machine is.
    const gone = `while kill -0 ${process.pid} 2>/dev/null; do sleep 0.05; done; sleep 0.5`;
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
    const waiting = sessions.send('talk', { text: `${gone}; echo $((x+1)); echo done` });
    await typed;
    say('waiting');
    await waiting;
    say('answered');
  },
  /** Holds the keyboard, and listens. */
  async hold() {
    await sessions.take('held', { actor: 'a person' });
    sessions.subscribe(() => {});
    await sessions.list();
    say('holding');
  },
  /** Anything, as fast as it can. */
  async anything() {
    const random = (below) => Math.floor(Math.random() * below);
    say('begun');
    while (true) {
      const name = `s${random(3)}`;
      const acts = [
        () => sessions.send(name, { text: `echo ${random(1000)}`, timeoutMs: random(50) }),
        () => sessions.read(name, { view: ['text', 'screen', 'raw'][random(3)], from: 0 }),
        () => sessions.list(),
        () => sessions.wait({ timeoutMs: random(50) }),
        () => sessions.take(name, { actor: `killed ${process.pid}` }),
        () => sessions.type(name, Buffer.from('\r')),
        () => void sessions.subscribe(() => {}),
        () => sessions.open({ command: ['cat'], name: 'shared' }),
      ];
      await Promise.allSettled([acts[random(acts.length)](), acts[random(acts.length)]()]);
    }
  },
};
await tasks[task]();
setInterval(() => {}, 1000);
