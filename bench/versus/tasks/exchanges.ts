/** Type, and get the answer: all of it, and nothing else. */
import { median } from '../../report/report.ts';
import { now } from '../clock.ts';
import type { Answer } from '../peer.ts';
import { judged, type Task, task } from '../task.ts';
import { linesOf } from './commands.ts';

const LIMIT_MS = 6000;
const EXCHANGES = 20;

/** Asks, repeats, asks again: a prompt that every tool here can know. */
const PARROT = `while printf 'you> '; read -r x; do echo "$x"; ${'echo $EPOCHREALTIME >> $STAMP'}; done`;
const PARROT_PROMPT = { prompt: 'you> ' };

export const exchanges: readonly Task[] = [
  task({
    id: 'python-20',
    title: '20 exchanges in a Python REPL',
    what: '`0 ** 2`, `1 ** 2`, …: is every answer right? The time is the median from the next `>>> ` to having the answer.',
    once: true,
    unit: 'ms',
    seen: async (seat, place) => {
      const prompt = { prompt: '>>> ' };
      const line = `PYTHONSTARTUP=${place.programs}/startup.py /usr/bin/python3 -q -i`;
      const talk = await seat.open(place.command(line), prompt, LIMIT_MS);
      const answers: Answer[] = [];
      for (let n = 0; n < EXCHANGES; n++)
        answers.push(await talk.say(`${n} ** 2`, prompt, LIMIT_MS));
      const readyAt = place.stamps();
      await talk.close();
      return { answers, readyAt };
    },
    judge: ({ answers, readyAt }) => {
      const wrong = answers.filter(({ text }, n) => linesOf(text).join('\n') !== String(n ** 2));
      const late = answers.map(({ at }, n) => at - (readyAt[n + 1] ?? Number.NaN));
      return judged(
        {
          [`${wrong.length} of ${answers.length} answers wrong`]: wrong.length > 0,
          'did not say that it waits': answers.some(({ state }) => state !== 'waiting'),
          'answered before it was ready': late.some((ms) => ms < 0),
        },
        { value: median(late), told: answers.some(({ told }) => told) },
      );
    },
  }),
  task({
    id: 'two-lines',
    title: 'two lines, intact',
    what: 'In a Python REPL, `first` and `second`; then `> first` and `+ second`, as in a quoted mail or a diff.',
    once: true,
    unit: 'none',
    seen: async (seat, place) => {
      const prompt = { prompt: '>>> ' };
      const line = `PYTHONSTARTUP=${place.programs}/startup.py /usr/bin/python3 -q -i`;
      const talk = await seat.open(place.command(line), prompt, LIMIT_MS);
      const plain = await talk.say('print("first\\nsecond")', prompt, LIMIT_MS);
      const marked = await talk.say('print("> first\\n+ second")', prompt, LIMIT_MS);
      await talk.close();
      return { plain, marked };
    },
    judge: ({ plain, marked }) =>
      judged(
        {
          'two plain lines differ': linesOf(plain.text).join('|') !== 'first|second',
          'what the lines begin with is lost':
            linesOf(marked.text).join('|') !== '> first|+ second',
        },
        { told: plain.told === true },
      ),
  }),
  task({
    id: 'parrot',
    title: 'an answer that is what was typed',
    what: 'A program repeats the line it got: `hello there`. The answer must be that line, once: neither its echo nor nothing.',
    unit: 'ms',
    seen: async (seat, place) => {
      const talk = await seat.open(place.command(PARROT), PARROT_PROMPT, LIMIT_MS);
      const said = await talk.say('hello there', PARROT_PROMPT, LIMIT_MS);
      const readyAt = place.stamps()[0] ?? now();
      await talk.close();
      return { said, readyAt };
    },
    judge: ({ said, readyAt }) => {
      const times = linesOf(said.text).filter((line) => line === 'hello there').length;
      return judged(
        {
          'the answer is missing': times === 0,
          'the answer is there twice': times > 1,
          'there is more than the answer': linesOf(said.text).length > 1,
          'answered before it was ready': said.at < readyAt,
        },
        { value: said.at - readyAt, told: said.told === true },
      );
    },
  }),
];
