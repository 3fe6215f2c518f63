/** Commands that run by themselves: when are they done, and is all of their output there? */
import type { Answer } from '../peer.ts';
import type { Place } from '../place.ts';
import { judged, type Task, task } from '../task.ts';

const LIMIT_MS = 20_000;

interface Ran {
  answer: Answer;
  doneAt: number;
}

const ran = async (answer: Answer, place: Place): Promise<Ran> => ({
  answer,
  doneAt: place.stamps()[0] ?? Number.POSITIVE_INFINITY,
});

/** Lines as they are, without the blanks and empty lines that a screen ends with. */
export const linesOf = (text: string): string[] =>
  text
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
    .split('\n');

export const judgeOutput = ({ answer, doneAt }: Ran, expected: readonly string[]) => {
  const lines = linesOf(answer.text);
  const same = lines.length === expected.length && lines.every((line, at) => line === expected[at]);
  return judged(
    {
      'answered before it was done': answer.at < doneAt,
      'did not say that it had ended': answer.state !== 'exited',
      [`${expected.length} lines expected, ${lines.length} given`]:
        lines.length !== expected.length,
      'output differs': !same,
    },
    { value: answer.at - doneAt },
  );
};

const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));

const command = ({
  id,
  title,
  what,
  line,
  expected,
}: Pick<Task, 'id' | 'title' | 'what'> & {
  line: string;
  expected: readonly string[];
}): Task =>
  task({
    id,
    title,
    what,
    unit: 'ms',
    seen: async (seat, place) => {
      const answer = await seat.run(place.command(`${line}; ${place.stampHere}`), LIMIT_MS);
      return ran(answer, place);
    },
    judge: (seen) => judgeOutput(seen, expected),
  });

export const commands: readonly Task[] = [
  command({
    id: 'done',
    title: 'a command that pauses',
    what: '`echo hi; sleep 2; echo done`: when is it known to be done, and is all output there?',
    line: 'echo hi; sleep 2; echo done',
    expected: ['hi', 'done'],
  }),
  command({
    id: 'seq-200',
    title: '`seq 1 200`, complete',
    what: '200 short lines, all of them, in order.',
    line: 'seq 1 200',
    expected: numbers(200),
  }),
  command({
    id: 'seq-100000',
    title: '`seq 1 100000`, complete',
    what: 'The same with 589 KB: all lines, in as many calls as it takes.',
    line: 'seq 1 100000',
    expected: numbers(100_000),
  }),
];
