/** Exchanges with a program, timed as a caller sees them: from the call to the complete answer. */
import type { OpenOptions, Sessions } from '../../../src/index.ts';
import { bash, environment } from '../bench.ts';

export interface Partner {
  name: string;
  program: OpenOptions;
  says(n: number): string;
}

export const python: Partner = {
  name: 'python3',
  program: { command: ['python3', '-q'], env: environment },
  says: (n) => `${n}+1`,
};

export const shell: Partner = {
  name: 'bash',
  program: bash,
  says: (n) => `echo $((${n}+1))`,
};

export const sqlite: Partner = {
  name: 'sqlite3',
  program: { command: ['sqlite3'], env: environment },
  says: (n) => `select ${n}+1;`,
};

export const openPartner = async (
  sessions: Sessions,
  { name, program }: Partner,
): Promise<void> => {
  await sessions.open({ ...program, name });
};

/** An answer that is not the right one is an error, not a fast answer. */
export const exchanges = async (
  sessions: Sessions,
  { name, says }: Partner,
  count: number,
): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 1000; n < 1000 + count; n++) {
    const text = says(n);
    const started = performance.now();
    const { output } = await sessions.send(name, { text });
    times.push(performance.now() - started);
    if (output.trim() !== `${n + 1}`)
      throw new Error(`${name} answered ${text} with ${JSON.stringify(output)}`);
  }
  return times;
};
