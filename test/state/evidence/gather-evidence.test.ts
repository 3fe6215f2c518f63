import { expect, test } from 'vitest';
import { Screen } from '../../../src/screen/screen.ts';
import { gatherEvidence } from '../../../src/state/evidence/gather-evidence.ts';
import type { ObservedTerminal } from '../../../src/system/foreground/kernel-evidence.ts';

/** The evidence if every question to the terminal fails with this error code. */
const evidenceWithError = (code: string) =>
  gatherEvidence(
    {
      exit: undefined,
      terminal: {
        device: 1,
        get hasUnreadOutput(): boolean {
          throw Object.assign(new Error('open'), { code });
        },
      } as ObservedTerminal & { programPid: number },
      screen: new Screen({ cols: 80, rows: 24 }),
      inputPosition: -1,
      lastInputMs: 0,
      lastOutputMs: 0,
    },
    100,
  );

test.each(['EMFILE', 'ENFILE'])(
  'when no file descriptor is left (%s), the other evidence has to do',
  (code) => {
    const evidence = evidenceWithError(code);
    expect(evidence).not.toHaveProperty('kernel');
    expect(evidence).toHaveProperty('terminal');
  },
);

test('any other failure is thrown', () => {
  expect(() => evidenceWithError('EBADF')).toThrow(expect.objectContaining({ code: 'EBADF' }));
});
