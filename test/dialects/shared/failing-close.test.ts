import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { codex } from '../../../src/dialects/codex/dialect.ts';
import type { Dialect } from '../../../src/dialects/tool.ts';
import { tricode } from '../../../src/dialects/tricode/dialect.ts';
import { unified } from '../../../src/dialects/unified/dialect.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { inProcess } from '../../helpers/dialect-agent.ts';
import { JumpingClock } from '../../helpers/jumping-clock.ts';
import { until } from '../../helpers/until.ts';

/** The tools of a dialect whose sessions cannot be closed, and what is said of that. */
const failing = (dialect: Dialect) => {
  const close = vi
    .spyOn(LocalSessions.prototype, 'close')
    .mockRejectedValue(new Error('EMFILE: too many open files'));
  const warnings: string[] = [];
  const hear = ({ message }: Error) => warnings.push(message);
  process.on('warning', hear);
  onTestFinished(async () => {
    process.off('warning', hear);
    close.mockRestore();
    await dialect.close();
  });
  return { call: inProcess(dialect), warnings };
};

const isSaid = (warnings: readonly string[]) =>
  until('it is said', () =>
    warnings.some((said) => /^Session \w+ could not be closed: EMFILE/.test(said)),
  );

describe('a session that cannot be closed, when nobody waits for that, is said on stderr', () => {
  test('where its program has ended', async () => {
    const { call, warnings } = failing(codex());
    const { text } = await call('exec_command', { cmd: 'echo done' });
    expect(text).toContain('done');
    await isSaid(warnings);
  });

  test('where it was unused for too long', async () => {
    const clock = new JumpingClock();
    const { call, warnings } = failing(tricode({ clock }));
    await call('start_session', { command: '' });
    clock.jump(41_000);
    await isSaid(warnings);
    expect((await call('list_sessions')).text).toBe('No active sessions');
  });

  test('where its time is up', async () => {
    const clock = new JumpingClock();
    const { call, warnings } = failing(unified({ clock }));
    await call('unified_exec', { cmd: 'exec sleep 100', timeout_ms: 60_000, yield_time_ms: 250 });
    clock.jump(61_000);
    await isSaid(warnings);
  });
});
