/** Programs that draw, and that take keys. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../peer.ts';
import { judged, type Task, task } from '../task.ts';

const LIMIT_MS = 6000;
/** Far more than the pause after which Enter is no part of a paste. */
const SENT_MS = 1000;

export const screens: readonly Task[] = [
  task({
    id: 'paste',
    title: 'Enter where fast typing is a paste',
    what: 'A message box that treats three characters within 8 ms as a paste, and Enter in a paste as a new line. `hello there` and Enter must send the message: in a full-screen program, and in one that draws in place.',
    once: true,
    unit: 'none',
    seen: async (seat, place) => {
      const sent: Answer[] = [];
      for (const how of ['', 'inline']) {
        const command = place.command(`python3 ${place.programs}/composer.py ${how}`);
        const talk = await seat.open(command, { screen: 'compose> ' }, LIMIT_MS);
        sent.push(await talk.say('hello there', { screen: "sent: 'hello there'" }, SENT_MS));
        await talk.close();
      }
      return sent;
    },
    judge: (sent) => {
      const isSent = sent.map(({ text }) => text.includes("sent: 'hello there'"));
      return judged({
        'not sent, neither way': !isSent[0] && !isSent[1],
        'on the whole screen not sent': !isSent[0],
        'in place not sent': !isSent[1],
      });
    },
  }),
  task({
    id: 'vim',
    title: 'vim: edit and save',
    what: '`i`, a line, Escape, `:wq`, Enter: is the file right, and when is it known that vim has ended?',
    unit: 'ms',
    seen: async (seat, place) => {
      const command = place.command(`vim -u NONE -N note.txt; ${place.stampHere}`);
      const talk = await seat.open(command, { screen: 'note.txt' }, LIMIT_MS);
      const strokes = [
        { text: 'ihello from the bench' },
        { key: 'Escape' },
        { text: ':wq' },
        { key: 'Enter' },
      ] as const;
      const ended = await talk.press(strokes, { exit: true }, LIMIT_MS);
      await talk.close().catch(() => undefined);
      const file = join(place.folder, 'note.txt');
      return {
        ended,
        file: existsSync(file) ? readFileSync(file, 'utf8') : undefined,
        endedAt: place.stamps()[0] ?? Number.POSITIVE_INFINITY,
      };
    },
    judge: ({ ended, file, endedAt }) =>
      judged(
        {
          'no file': file === undefined,
          'the file is wrong': file !== 'hello from the bench\n',
          'did not say that vim had ended': ended.state !== 'exited',
          'said so before it had': ended.at < endedAt,
        },
        { value: ended.at - endedAt },
      ),
  }),
];
