import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { codex } from '../../../src/dialects/codex/dialect.ts';
import type { Dialect } from '../../../src/dialects/tool.ts';
import { tricode } from '../../../src/dialects/tricode/dialect.ts';
import { unified } from '../../../src/dialects/unified/dialect.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { inProcess } from '../../helpers/dialect-agent.ts';
import { JumpingClock } from '../../helpers/jumping-clock.ts';
import { until } from '../../helpers/until.ts';

/** Makes closing sessions fail. Returns the tools of the dialect and the warnings it emits. */
const withFailingClose = (dialect: Dialect) => {
  const close = vi
    .spyOn(LocalSessions.prototype, 'close')
    .mockRejectedValue(new Error('EMFILE: too many open files'));
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => warnings.push(message);
  process.on('warning', onWarning);
  onTestFinished(async () => {
    process.off('warning', onWarning);
    close.mockRestore();
    await dialect.close();
  });
  return { call: inProcess(dialect), warnings };
};

const hasWarned = (warnings: readonly string[]) =>
  until('the warning is emitted', () =>
    warnings.some((message) => /^Session \w+ could not be closed: EMFILE/.test(message)),
  );

describe('a failure to close a session in the background is reported on stderr', () => {
  test('after its program has ended', async () => {
    const { call, warnings } = withFailingClose(codex());
    const { text } = await call('exec_command', { cmd: 'echo done' });
    expect(text).toContain('done');
    await hasWarned(warnings);
  });

  test('after it was unused for too long', async () => {
    const clock = new JumpingClock();
    const { call, warnings } = withFailingClose(tricode({ clock }));
    await call('start_session', { command: '' });
    clock.jump(41_000);
    await hasWarned(warnings);
    expect((await call('list_sessions')).text).toBe('No active sessions');
  });

  test('after its time is up', async () => {
    const clock = new JumpingClock();
    const { call, warnings } = withFailingClose(unified({ clock }));
    await call('unified_exec', { cmd: 'exec sleep 100', timeout_ms: 60_000, yield_time_ms: 250 });
    clock.jump(61_000);
    await hasWarned(warnings);
  });
});
