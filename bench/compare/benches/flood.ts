/** `send` of a command that prints many megabytes, until the shell is ready again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sessions } from '../../../src/index.ts';
import { type Bench, bash, type Sample } from '../bench.ts';

/** More than a history keeps; less would not be a flood, more a turn of half a second. */
const MEGABYTES = 5;
const WARM_UP = 3;

export const flood: Bench = {
  turns: 15,
  prepare: writeLines,
  async open({ LocalSessions }, { shared }) {
    const sessions = new LocalSessions();
    const turn = await floods(sessions, shared);
    return { turn, end: async () => void (await sessions.closeAll({ graceMs: 0 })) };
  },
};

export async function writeLines(shared: string): Promise<() => Promise<void>> {
  let text = '';
  for (let at = 0; text.length < MEGABYTES * 1e6; at++)
    text += `line ${at} of a flood of numbered lines\n`;
  writeFileSync(join(shared, 'lines'), text);
  return async () => {};
}

/** Opens a shell for it; each call is one flood. */
export const floods = async (
  sessions: Sessions,
  shared: string,
): Promise<() => Promise<readonly Sample[]>> => {
  const name = 'flooding';
  await sessions.open({ ...bash, name });
  const text = `cat ${join(shared, 'lines')}`;
  const once = async () => {
    const started = performance.now();
    const { timedOut } = await sessions.send(name, { text, timeoutMs: 60_000 });
    if (timedOut) throw new Error('the flood did not end');
    return performance.now() - started;
  };
  for (let at = 0; at < WARM_UP; at++) await once();
  return async () => [{ metric: `${MEGABYTES} MB, ms`, values: [await once()] }];
};
