/** Sends lines to the history before a program erases them, so that printed text stays readable. */
import type { LiveLines } from '../lines/live-lines.ts';
import type { Xterm } from '../xterm/xterm.ts';
import { isAlternateScreen } from './modes.ts';

export function keepErasedLines({ terminal, core }: Xterm, lines: LiveLines): void {
  const { parser } = terminal;
  parser.registerCsiHandler({ final: 'J' }, (params) => {
    if (isAlternateScreen(core)) return false;
    if (params[0] === 2) lines.scrollAway();
    if (params[0] === 3) lines.moveScrollbackToHistory();
    return false;
  });
  // xterm deletes these lines. Other terminals scroll them off, as a line feed does.
  parser.registerCsiHandler({ final: 'S' }, (params) => {
    if (isAlternateScreen(core)) return false;
    lines.scroll(Math.min(Number(params[0]) || 1, terminal.rows));
    return true;
  });
  parser.registerEscHandler({ final: 'c' }, () => {
    lines.moveAllToHistory();
    return false;
  });
}
