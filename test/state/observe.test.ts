import { expect, test } from 'vitest';
import { Screen } from '../../src/screen/screen.ts';
import { gatherEvidence } from '../../src/state/observe.ts';
import type { ObservedTerminal } from '../../src/system/foreground/kernel-evidence.ts';

/** A terminal that cannot be asked anything, for this reason. */
const askedInVain = (code: string) =>
  gatherEvidence(
    {
      exit: undefined,
      terminal: {
        get hasUnreadOutput(): boolean {
          throw Object.assign(new Error('open'), { code });
        },
      } as ObservedTerminal,
      screen: new Screen({ cols: 80, rows: 24 }),
      inputPosition: -1,
      lastInputMs: 0,
      lastOutputMs: 0,
    },
    100,
  );

test.each(['EMFILE', 'ENFILE'])(
  'where no descriptor is left to look with (%s), the other evidence has to do',
  (code) => {
    const evidence = askedInVain(code);
    expect(evidence).not.toHaveProperty('kernel');
    expect(evidence).toHaveProperty('terminal');
  },
);

test('any other failure to look is told', () => {
  expect(() => askedInVain('EBADF')).toThrow(expect.objectContaining({ code: 'EBADF' }));
});
