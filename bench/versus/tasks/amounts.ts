/** Much of it: bytes, sessions, processes, words. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { now, sleep } from '../clock.ts';
import { killAll, processesWith } from '../processes.ts';
import { judged, type Task, task } from '../task.ts';
import { linesOf } from './commands.ts';

const FLOOD_BYTES = 50_000_000;
const FLOOD_LIMIT_MS = 45_000;
const SESSIONS = 100;
const LIMIT_MS = 15_000;
const PROCESSES = 5;
/** Tools that ask first and kill later have done so by then. */
const AFTER_CLOSE_MS = 2500;
/** The rule of thumb for English and code; escape sequences cost more. */
const BYTES_A_TOKEN = 4;

const PARROT = `while printf 'you> '; read -r x; do echo "got $x"; done`;

export const amounts: readonly Task[] = [
  task({
    id: 'flood',
    title: '50 MB of output',
    what: 'Lines of 99 characters, 50 MB, then `END`, within 45 s: is the end seen, and how long does all of it take?',
    once: true,
    unit: 'total ms',
    seen: async (seat, place) => {
      const line = `yes ${'x'.repeat(99)} | head -c ${FLOOD_BYTES}; echo; echo END`;
      const started = now();
      const command = place.command(`${line}; ${place.stampHere}`);
      const answer = await seat.run(command, FLOOD_LIMIT_MS, 'end');
      return {
        answer,
        took: now() - started,
        doneAt: place.stamps()[0] ?? Number.POSITIVE_INFINITY,
      };
    },
    judge: ({ answer, took, doneAt }) =>
      judged(
        {
          'answered before it was done': answer.at < doneAt,
          'did not say that it had ended': answer.state !== 'exited',
          'the end is missing': linesOf(answer.text).at(-1) !== 'END',
        },
        { value: took },
      ),
  }),
  task({
    id: 'hundred',
    title: '100 sessions at once',
    what: 'All opened together, one line typed into each, every answer right, all closed together: the total time.',
    once: true,
    unit: 'total ms',
    seen: async (seat, place) => {
      const prompt = { prompt: 'you> ' };
      const started = now();
      const talks = await Promise.allSettled(
        Array.from({ length: SESSIONS }, () => seat.open(place.command(PARROT), prompt, LIMIT_MS)),
      );
      const open = talks.filter((talk) => talk.status === 'fulfilled').map(({ value }) => value);
      const said = await Promise.allSettled(
        open.map((talk, at) => talk.say(`line ${at}`, prompt, LIMIT_MS)),
      );
      const right = said.filter(
        (answer, at) => answer.status === 'fulfilled' && isAnswer(answer.value.text, at),
      ).length;
      await Promise.allSettled(open.map((talk) => talk.close()));
      return { opened: open.length, right, took: now() - started };
    },
    judge: ({ opened, right, took }) =>
      judged(
        {
          [`${opened} of ${SESSIONS} could be opened`]: opened < SESSIONS,
          [`${right} of ${SESSIONS} answers right`]: right < SESSIONS,
        },
        { value: took },
      ),
  }),
  task({
    id: 'left-over',
    title: 'processes left after close',
    what: 'A session with a job in the background, an orphan, one under `nohup`, one that called `setsid`, and one in the foreground. Closed: how many are left 2.5 s later?',
    once: true,
    unit: 'processes',
    seen: async (seat, place) => {
      const mark = `VERSUS_MARK=${Math.random().toString(36).slice(2)}`;
      const line = `export ${mark}; sleep 997 & (sleep 997 &); nohup sleep 997 >/dev/null 2>&1 & setsid sleep 997 & printf 'started> '; cat`;
      const talk = await seat.open(place.command(line), { prompt: 'started> ' }, LIMIT_MS);
      const before = await started(mark);
      await talk.close();
      await sleep(AFTER_CLOSE_MS);
      const left = processesWith(mark);
      killAll(left);
      return { before, left: left.length };
    },
    judge: ({ before, left }) =>
      judged(
        {
          'the processes were not there to begin with': before < PROCESSES,
          [`${left} left`]: left > 0,
        },
        { value: left },
      ),
  }),
  task({
    id: 'npm-install',
    title: 'tokens for `npm install`',
    what: 'With its progress bar, for 2 s: how much a model has to read to see that it worked (bytes / 4).',
    once: true,
    unit: 'tokens',
    seen: async (seat, place) => {
      const slow = join(place.folder, 'slow');
      mkdirSync(slow);
      const scripts = { postinstall: 'sleep 2' };
      writeFileSync(
        join(slow, 'package.json'),
        JSON.stringify({ name: 'slow', version: '1.0.0', scripts }),
      );
      mkdirSync(join(place.folder, 'app'));
      writeFileSync(join(place.folder, 'app/package.json'), '{"private":true}');
      const command = place.command('cd app && npm install --no-audit --no-fund ../slow');
      return (await seat.run(command, 60_000)).text;
    },
    judge: (text) =>
      judged(
        { 'it did not work': !/added 1 package/.test(text) },
        { value: Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN) },
      ),
  }),
  task({
    id: 'schemas',
    title: 'size of the tool schemas',
    what: 'Names, descriptions and inputs of all tools, as a model gets them in every conversation.',
    once: true,
    unit: 'bytes',
    seen: async (seat) => seat.schemas?.(),
    judge: (schemas) => {
      if (schemas === undefined) return { right: true, note: 'not a tool of a model' };
      const { tools, bytes, terminalBytes } = schemas;
      const some = terminalBytes === bytes ? '' : `; of those for terminals ${terminalBytes} bytes`;
      return { right: true, value: bytes, note: `${tools} tools${some}` };
    },
  }),
];

/** Who is told of a prompt may be here before the processes are. */
const started = async (mark: string): Promise<number> => {
  const end = now() + LIMIT_MS;
  let count = 0;
  while (count < PROCESSES && now() < end) {
    await sleep(20);
    count = processesWith(mark).length;
  }
  return count;
};

/** A prompt that a slow start has left for this answer does not make it wrong. */
const isAnswer = (text: string, at: number): boolean =>
  linesOf(text).join('').replaceAll('you> ', '') === `got line ${at}`;
