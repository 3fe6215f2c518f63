/** A program that draws all the time can be approved, and a `y` for one question never answers the next. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RuleText } from '../../../../src/policy/policy.ts';
import { agent, person, sessionsWithPolicy } from '../../../helpers/daemon/sessions-with-policy.ts';
import { testWith } from '../../../helpers/needs.ts';
import { folderWith } from '../../../helpers/temporary-folder.ts';
import { until } from '../../../helpers/until.ts';

const test = testWith('bash');

const askAboutKeys: RuleText = { act: 'type', then: 'ask', why: 'keys do things there' };

/** A clock in the first row, a question in the fifth, and two answers below it, of which one is chosen. */
const PROGRAM = `
question() { printf '\\e[5;1H%s\\e[K' "$1"; }
answers() { printf '\\e[7;1H\\e[%sm<Yes>\\e[m  \\e[%sm<No>\\e[m' "$1" "$2"; }
ask() { printf '\\e[9;1H%s\\e[K' "$1"; }
printf '\\e[?1049h\\e[2J'
question 'Delete A?'; answers 7 0; ask 'Key: '
number=0
until read -rsn1 -t 0.2 key; do
  printf '\\e7\\e[1;1H%s\\e8' $((number++))
  if [ -e change ]; then . ./change; mv change changed; fi
done
printf '\\e[?1049l'; echo "got $key"
`;

const begin = async () => {
  const policy = await sessionsWithPolicy([askAboutKeys]);
  const { sessions, approvals, nextQuestion } = policy;
  const folder = folderWith({ program: PROGRAM });
  await sessions.open({ name: 'p', command: ['bash', 'program'], cwd: folder });
  const position = async () => (await sessions.read('p', { view: 'screen' })).position;
  const untilDrawn = async (times: number) => {
    for (let time = 0; time < times; time++) {
      const before = await position();
      await until('the clock moves', async () => (await position()) > before);
    }
  };
  // By now it has been seen that the clock moves.
  await untilDrawn(10);
  return {
    ...policy,
    untilDrawn,
    /** Types \`y\`, and resolves when a person is asked. */
    async ask() {
      const sending = sessions.send('p', { keys: 'y', until: 'exit' }, { caller: agent });
      sending.catch(() => {});
      return { sending, question: await nextQuestion() };
    },
    answer: (id: number, answer: string) => approvals.answer(id, answer, person),
    /** The program changes what it shows, by itself. */
    async change(script: string) {
      writeFileSync(join(folder, 'change'), script);
      await until('it has changed', () => existsSync(join(folder, 'changed')));
      await untilDrawn(2);
    },
  };
};

test('a key is typed once it is approved, although a clock has moved on', async () => {
  const { ask, answer, untilDrawn } = await begin();
  const { sending, question } = await ask();
  await untilDrawn(5);
  answer(question.id, 'once');
  expect((await sending).output).toContain('got y');
});

const changes: readonly [what: string, script: string][] = [
  ['the line with the cursor', "ask 'Really: '"],
  ['a row that was still', "question 'Delete B?'"],
  ['the chosen answer', 'answers 0 7'],
  ['where the cursor stands', "printf '\\e[10;1H'"],
  ['a row that was blank', "printf '\\e7\\e[3;1HAll of it\\e8'"],
];
for (const [what, script] of changes)
  test(`a person is asked anew if this has changed meanwhile: ${what}`, async () => {
    const { ask, answer, change, approvals, nextQuestion } = await begin();
    const { sending, question } = await ask();
    await change(script);
    answer(question.id, 'once');
    await until('it is asked anew', () => approvals.waiting.some(({ id }) => id !== question.id));
    answer((await nextQuestion()).id, 'refuse');
    await expect(sending).rejects.toMatchObject({ code: 'REFUSED_BY_POLICY' });
  });

test('a person is asked anew if somebody has typed meanwhile', async () => {
  const { ask, answer, sessions, approvals } = await begin();
  const { sending, question } = await ask();
  await sessions.send('p', { keys: 'n', until: 'exit' }, { caller: person });
  answer(question.id, 'once');
  await expect(sending).rejects.toThrow();
  expect(approvals.waiting).toEqual([]);
});

testWith('top')('a key for top can be approved', async () => {
  const { sessions, approvals } = await sessionsWithPolicy([askAboutKeys]);
  await sessions.open({ name: 't', command: ['top', '-d', '0.5'], cols: 80, rows: 24 });
  const sending = sessions.send('t', { keys: 'q', until: 'exit' }, { caller: agent });
  let asked = 0;
  const answering = async () => {
    await until('a person is asked', () => approvals.waiting.length > 0);
    const { position } = await sessions.read('t', { view: 'screen' });
    const moved = async () => (await sessions.read('t', { view: 'screen' })).position > position;
    await until('top draws', moved);
    asked++;
    approvals.answer(approvals.waiting[0]!.id, 'once', person);
  };
  // At first it is not known yet which rows top draws anew.
  const done = sending.then(() => true);
  while (!(await Promise.race([done, answering().then(() => false)])))
    expect(asked).toBeLessThan(20);
  expect((await sending).exitCode).toBe(0);
});
