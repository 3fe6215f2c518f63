/** For tools that only show what there is: looking again and again, as their documentation does. */
import { now, sleep } from './clock.ts';
import type { Expected, State } from './peer.ts';

export interface Look {
  text: string;
  exited: boolean;
}

/** What can be concluded from a text and from what was expected of it. */
export const stateOf = ({ text, exited }: Look, { prompt, screen }: Expected): State => {
  if (exited) return 'exited';
  const isDrawn = screen !== undefined && text.includes(screen);
  const isAsked = prompt !== undefined && text.trimEnd().endsWith(prompt.trimEnd());
  return isDrawn || isAsked ? 'waiting' : 'unknown';
};

/** Looks every so many ms until what was expected is seen, or time is up. */
export const lookUntil = async (
  look: () => Promise<Look>,
  expected: Expected,
  { everyMs, limitMs, waitFirst }: { everyMs: number; limitMs: number; waitFirst: boolean },
): Promise<Look & { state: State }> => {
  const end = now() + limitMs;
  if (waitFirst) await sleep(everyMs);
  for (;;) {
    const seen = await look();
    const state = stateOf(seen, expected);
    if (state !== 'unknown' || now() >= end) return { ...seen, state };
    await sleep(everyMs);
  }
};

/** Without the line that was typed, where the terminal showed it, and without the next prompt. */
export const answerIn = (text: string, typed: string, { prompt = '' }: Expected): string => {
  const lines = text.replaceAll('\r', '').split('\n');
  if (typed !== '' && lines[0]?.endsWith(typed)) lines.shift();
  const last = lines.length - 1;
  if (prompt !== '' && lines[last]?.trimEnd() === prompt.trimEnd()) lines.splice(last, 1);
  return lines.join('\n').trimEnd();
};
