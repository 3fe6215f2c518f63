import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../bench/versus/contest.ts';
import type { Answer, Peer } from '../../bench/versus/peer.ts';
import { answerIn, stateOf } from '../../bench/versus/polling.ts';
import { standings } from '../../bench/versus/standings.ts';
import type { Task } from '../../bench/versus/task.ts';
import { judgeOutput } from '../../bench/versus/tasks/commands.ts';
import { judgePair } from '../../bench/versus/tasks/turns.ts';

const answer = (rest: Partial<Answer> = {}): Answer => ({
  text: '',
  state: 'exited',
  at: 20,
  ...rest,
});

describe('a command is judged by', () => {
  const judge = (rest: Partial<Answer>) =>
    judgeOutput({ answer: answer({ text: 'hi\ndone\n', ...rest }), doneAt: 10 }, ['hi', 'done']);

  test('all of its output, at its end', () => {
    expect(judge({})).toEqual({ right: true, value: 10 });
  });

  test('a line that is missing', () => {
    expect(judge({ text: 'hi\n' })).toMatchObject({ note: '2 lines expected, 1 given' });
  });

  test('a line that differs', () => {
    expect(judge({ text: 'hi\ndono' })).toMatchObject({ note: 'output differs' });
  });

  test('an answer that came before it was done', () => {
    expect(judge({ at: 9 })).toMatchObject({ note: 'answered before it was done' });
  });

  test('an end that was not told', () => {
    expect(judge({ state: 'unknown' })).toMatchObject({ note: 'did not say that it had ended' });
  });
});

describe('two programs are told apart if', () => {
  const judge = (asking: Answer['state'], busy: Answer['state'], at = 20) =>
    judgePair({
      asking: answer({ state: asking, at }),
      busy: answer({ state: busy }),
      readyAt: 10,
    });

  test('one is said to wait and the other is not', () => {
    expect(judge('waiting', 'working').right).toBe(true);
    expect(judge('waiting', 'unknown').right).toBe(true);
  });

  test('neither is confused with the other', () => {
    expect(judge('working', 'working').right).toBe(false);
    expect(judge('waiting', 'waiting').right).toBe(false);
    expect(judge('waiting', 'exited').right).toBe(false);
    expect(judge('waiting', 'working', 5).right).toBe(false);
  });
});

describe('who only looks', () => {
  test('sees a prompt at the end of the text and not before', () => {
    expect(stateOf({ text: '1\n>>> ', exited: false }, { prompt: '>>> ' })).toBe('waiting');
    expect(stateOf({ text: '>>> 1\n', exited: false }, { prompt: '>>> ' })).toBe('unknown');
    expect(stateOf({ text: '>>> ', exited: true }, { prompt: '>>> ' })).toBe('exited');
  });

  test('takes the answer without what was typed and without the prompt', () => {
    expect(answerIn('>>> 1 + 1\r\n2\r\n>>> ', '1 + 1', { prompt: '>>> ' })).toBe('2');
    expect(answerIn('hello\nhello\nyou> ', 'hello', { prompt: 'you> ' })).toBe('hello');
  });
});

describe('the table', () => {
  const peer = (name: string) => ({ name }) as Peer;
  const task = { id: 'done', unit: 'ms' } as Task;
  const attempt = (name: string, right: boolean, value: number): Attempt => ({
    task: 'done',
    peer: name,
    round: 0,
    right,
    value,
    exchanged: [],
  });

  test('shows our time and theirs as a multiple of it', () => {
    const attempts = [attempt('us', true, 2), attempt('them', true, 8)];
    const [row] = standings(attempts, [task], [peer('us'), peer('them')]);
    expect(row?.cells.map(({ shown }) => shown)).toEqual(['yes 2.0 ms', 'yes 4.0×']);
    expect(row?.faster).toEqual([]);
  });

  test('shows no multiples of a time of ours that was wrong', () => {
    const attempts = [attempt('us', false, 2), attempt('them', true, 8)];
    const [row] = standings(attempts, [task], [peer('us'), peer('them')]);
    expect(row?.cells.map(({ shown }) => shown)).toEqual(['no', 'yes 8.0 ms']);
  });

  test('takes the middle of two rounds', () => {
    const attempts = [attempt('us', true, 2), attempt('us', true, 4)];
    const [row] = standings(attempts, [task], [peer('us')]);
    expect(row?.cells[0]?.value).toBe(3);
  });

  test('names who is right and faster, and nobody who is wrong', () => {
    const attempts = [attempt('us', true, 8), attempt('a', true, 2), attempt('b', false, 1)];
    const [row] = standings(attempts, [task], [peer('us'), peer('a'), peer('b')]);
    expect(row?.faster).toEqual(['a']);
    expect(row?.cells[2]?.shown).toBe('no');
  });

  test('counts the rounds of who is right only sometimes, and calls that wrong', () => {
    const attempts = [attempt('us', true, 8), attempt('us', false, 1)];
    const [row] = standings(attempts, [task], [peer('us')]);
    expect(row?.cells[0]).toMatchObject({ right: false, shown: '1 of 2 8.0 ms' });
  });
});
