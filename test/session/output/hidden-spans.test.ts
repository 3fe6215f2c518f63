import { expect, test } from 'vitest';
import { Screen } from '../../../src/screen/screen.ts';
import { EchoDetector } from '../../../src/session/output/echo-detector.ts';
import { HiddenSpans } from '../../../src/session/output/hidden-spans.ts';
import type { Verdict } from '../../../src/state/verdict.ts';
import { joinViewLines, textViewFrom } from '../../../src/views/text.ts';

test('blank lines that a prompt keeps below it for a menu are left out with it', () => {
  const screen = new Screen({ cols: 80, rows: 24 });
  const hidden = new HiddenSpans(screen, new EchoDetector(screen));
  screen.write(Buffer.from(`Out[1]: 2\r\n\r\nIn [2]: ${'\r\n'.repeat(10)} \b\x1b[10A\x1b[8C`));
  const verdict: Verdict = {
    state: 'waiting',
    waitingFor: 'line',
    certainty: 'certain',
    because: '',
    prompt: 'In [2]: ',
  };
  expect(joinViewLines(textViewFrom(screen, 0, hidden.spans(verdict)))).toBe('Out[1]: 2\n');
});
