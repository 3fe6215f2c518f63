/** Whose turn is it? */
import { now } from '../clock.ts';
import { type Answer, type Conversation, PASSWORD, type Seat } from '../peer.ts';
import type { Place } from '../place.ts';
import { judged, type Task, task } from '../task.ts';

/** What a caller is ready to wait where nothing may come. */
const PATIENCE_MS = 1000;
const LIMIT_MS = 3000;

interface Pair {
  asking: Answer;
  busy: Answer;
  readyAt: number;
}

export const judgePair = ({ asking, busy, readyAt }: Pair) =>
  judged(
    {
      'the one that waits for input was not recognised': asking.state !== 'waiting',
      'the one that does not was said to wait': busy.state === 'waiting',
      'the one that still runs was said to have ended': busy.state === 'exited',
      'answered before it was ready': asking.at < readyAt,
    },
    { value: asking.at - readyAt, told: asking.told === true },
  );

/** One of our programs asks, is answered, and ends. */
const answering =
  (program: string, prompt: string, answer: (talk: Conversation) => Promise<Answer>) =>
  async (seat: Seat, place: Place) => {
    const command = place.command(`python3 ${place.programs}/${program}`);
    const talk = await seat.open(command, { prompt }, LIMIT_MS);
    const readyAt = place.stamps()[0] ?? now();
    const said = await answer(talk);
    await talk.close().catch(() => undefined);
    return { asked: talk.first, said, readyAt };
  };

export const turns: readonly Task[] = [
  task({
    id: 'sleep-read',
    title: '`sleep 3` against `read -p`',
    what: 'One waits for input, the other is just slow. Both are silent. Are they told apart?',
    unit: 'ms',
    seen: async (seat, place): Promise<Pair> => {
      const prompt = { prompt: 'Your name: ' };
      const line = `${place.stampHere}; read -p 'Your name: ' name; echo "Hello $name"`;
      const asking = await seat.open(place.command(line), prompt, PATIENCE_MS);
      const busy = await seat.open(place.command('sleep 3'), prompt, PATIENCE_MS);
      await Promise.all([asking.close(), busy.close()]);
      return { asking: asking.first, busy: busy.first, readyAt: place.stamps()[0] ?? now() };
    },
    judge: judgePair,
  }),
  task({
    id: 'node-idle',
    title: 'a node REPL against an idle server',
    what: 'To the kernel both are node in epoll_wait. One waits for a line, the other for the network.',
    once: true,
    unit: 'none',
    seen: async (seat, place): Promise<Pair> => {
      const prompt = { prompt: '> ' };
      const server = `node ${place.programs}/idle-server.js`;
      const asking = await seat.open(place.command('node -i'), prompt, LIMIT_MS);
      const busy = await seat.open(place.command(server), prompt, PATIENCE_MS);
      await Promise.all([asking.close(), busy.close()]);
      return { asking: asking.first, busy: busy.first, readyAt: 0 };
    },
    judge: (seen) => {
      const { value: _, ...finding } = judgePair(seen);
      return finding;
    },
  }),
  task({
    id: 'no-newline',
    title: 'a prompt without a newline',
    what: '`Delete 3 files? [y/N] ` with the cursor after it. Is the question seen, and the answer accepted?',
    unit: 'ms',
    seen: answering('question.py', 'Delete 3 files? [y/N] ', (talk) =>
      talk.say('y', { exit: true }, LIMIT_MS),
    ),
    judge: ({ asked, said, readyAt }) =>
      judged(
        {
          'did not say that it waits': asked.state !== 'waiting',
          'the answer was not taken': !said.text.includes('deleted'),
          'answered before it was ready': asked.at < readyAt,
        },
        { value: asked.at - readyAt, told: asked.told === true },
      ),
  }),
  task({
    id: 'getpass',
    title: 'a password prompt (getpass)',
    what: 'Is the prompt recognised, is the password accepted, and does it stay out of every answer?',
    unit: 'ms',
    seen: answering('password.py', 'Password: ', (talk) =>
      talk.saySecret({ exit: true }, LIMIT_MS),
    ),
    judge: ({ asked, said, readyAt }) =>
      judged(
        {
          'did not say that it waits': asked.state !== 'waiting',
          'the password was not taken': !said.text.includes('granted'),
          'the password is in the answer': said.text.includes(PASSWORD),
          'answered before it was ready': asked.at < readyAt,
        },
        {
          value: asked.at - readyAt,
          told: asked.told === true,
          ...(asked.secret && { note: 'said that it is a secret' }),
        },
      ),
  }),
  task({
    id: 'dev-server',
    title: 'a dev server that comes up after 2 s',
    what: 'From the moment its port is open to the answer that it is up.',
    unit: 'ms',
    seen: async (seat, place) => {
      const command = place.command(`node ${place.programs}/late-server.js`);
      const talk = await seat.serve(command, 'Ready in 2 s, listening.', LIMIT_MS);
      await talk.close();
      return { up: talk.first, readyAt: place.stamps()[0] ?? Number.POSITIVE_INFINITY };
    },
    judge: ({ up, readyAt }) =>
      judged(
        {
          'never said that it is up': up.state !== 'waiting',
          'said it before it was': up.at < readyAt,
        },
        { value: up.at - readyAt, told: up.told === true },
      ),
  }),
];
