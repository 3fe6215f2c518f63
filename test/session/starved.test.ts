import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('without file descriptors nothing dies: states are reported, failed closings too, and can be repeated', () => {
  const script = join(import.meta.dirname, '../fixtures/starved.js');
  const few = ['-c', 'ulimit -n 200; exec "$@"', 'sh', process.execPath, script];
  const { status, stdout, stderr } = spawnSync('sh', few, { timeout: 50_000, encoding: 'utf8' });
  const none = '{ survivors: [] }\n';
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: `EMFILE\n${none}${none}`,
    stderr: '',
  });
});

test('the last descriptors are left for what frees others', () => {
  const script = join(import.meta.dirname, '../fixtures/few-descriptors.js');
  const { stdout, stderr } = spawnSync(process.execPath, [script], {
    timeout: 50_000,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    refusal: {
      code: 'TERMINAL_UNAVAILABLE',
      message: expect.stringMatching(/EMFILE.*close sessions/),
    },
    some: true,
    all: true,
    answer: 'hello',
    survivors: 0,
    again: 'waiting',
  });
});
