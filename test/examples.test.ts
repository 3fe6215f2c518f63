import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ScriptedAnthropic } from '../examples/stand-ins/anthropic.js';
import { ScriptedOpenAI } from '../examples/stand-ins/openai.js';
import { testWith } from './helpers/needs.ts';

const root = join(import.meta.dirname, '..');
const examples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.js'));

/** As a user would: the package is imported by its name, from what was built. */
const output = async (example: string) => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join('examples', example)],
    { cwd: root, timeout: 50_000 },
  );
  return { lines: stdout.trim().split('\n'), stderr };
};

const AGENTS = ['ai-sdk.js', 'anthropic.js', 'openai.js'];

test('every example is run by a test', () => {
  expect(examples.sort()).toEqual([...AGENTS, 'library.js'].sort());
});

testWith('python3', 'less')('the example of the library prints what it says', async () => {
  expect(await output('library.js')).toEqual({
    stderr: '',
    lines: [
      'answer: 5050',
      'ran: here 1 /',
      'waiting for a line at Your name: ',
      'waiting for a secret at Password: ',
      'working and time is up',
      'quick ended first, with exit code 3 and done',
      '5 | 6 | 7 | 8 | :',
      'SESSION_NOT_FOUND No session "nobody". Open sessions: python3, slow, pager. Exited ones: quick.',
    ],
  });
});

for (const example of AGENTS) {
  testWith('python3')(`${example}: the agent gets every answer in its own format`, async () => {
    const { lines, stderr } = await output(example);
    expect(stderr).toBe('');
    const answers = lines.filter((line) => !line.startsWith('assistant:'));
    for (const answer of [
      '[python3: waiting for a line at ">>> "]',
      '[deploy: python3 waiting for a line at "Deploy to production? "]',
      '5050',
      '[deploy: exit code 0]',
      'No session "nobody"',
      '[exit code 3',
      '[closed: python3]',
    ]) {
      expect(
        answers.some((line) => line.includes(answer)),
        answer,
      ).toBe(true);
    }
    // The stand-in comes to this only if every result was right.
    expect(lines.at(-1)).toBe('assistant: The sum is 5050, and nothing was deployed.');
  });
}

const offered = ['terminal_open', 'terminal_send', 'terminal_read', 'terminal_run'];

test('the stand-in for OpenAI refuses a turn whose calls were not answered', async () => {
  const { create } = new ScriptedOpenAI().chat.completions;
  const tools = offered.map((name) => ({
    type: 'function' as const,
    function: { name, description: '', parameters: {} },
  }));
  const first = await create({ model: 'any', messages: [], tools });
  const messages = [first.choices[0].message];
  await expect(create({ model: 'any', messages, tools })).rejects.toThrow(/no message of the role/);
});

test('the stand-in for Anthropic refuses the result of another call', async () => {
  const { create } = new ScriptedAnthropic().messages;
  const tools = offered.map((name) => ({ name, description: '', input_schema: {} }));
  const request = { model: 'any', max_tokens: 1, tools };
  await create({ ...request, messages: [{ role: 'user', content: 'hi' }] });
  const content = [1, 0].map((nth) => ({
    type: 'tool_result' as const,
    tool_use_id: `call_0_${nth}`,
    content: [{ type: 'text' as const, text: 'waiting for a line at ">>> "' }],
  }));
  await expect(create({ ...request, messages: [{ role: 'user', content }] })).rejects.toThrow(
    /the answer to call_0_0 came as call_0_1/,
  );
});
