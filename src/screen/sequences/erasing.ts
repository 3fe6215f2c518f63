/** A program that clears its screen does not unsay what it said: what it erases goes to the history. */
import type { LiveLines } from '../lines/live-lines.ts';
import type { Xterm } from '../xterm/xterm.ts';
import { isAlternate } from './modes.ts';

export function keepErasedLines({ terminal, core }: Xterm, lines: LiveLines): void {
  const { parser } = terminal;
  parser.registerCsiHandler({ final: 'J' }, (params) => {
    if (isAlternate(core)) return false;
    if (params[0] === 2) lines.scrollAway();
    if (params[0] === 3) lines.retireScrollback();
    return false;
  });
  // xterm deletes these lines; on other terminals they go where a line feed would send them.
  parser.registerCsiHandler({ final: 'S' }, (params) => {
    if (isAlternate(core)) return false;
    lines.scroll(Math.min(Number(params[0]) || 1, terminal.rows));
    return true;
  });
  parser.registerEscHandler({ final: 'c' }, () => {
    lines.retireAll();
    return false;
  });
}
