/** Finished pairs as lines of JSON, so that a run that was stopped can go on. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Values } from './pair.ts';

/** The two commits. */
export interface Compared {
  base: string;
  ours: string;
}

export interface Pair {
  bench: string;
  values: Values;
}

export class PairLog {
  readonly #file: string | undefined;
  readonly #compared: Compared;

  constructor(file: string | undefined, compared: Compared) {
    this.#file = file;
    this.#compared = compared;
  }

  /** Of the same two commits. What has changes on top of its commit is never the same. */
  read(): Pair[] {
    const { base, ours } = this.#compared;
    const isKnown = !base.endsWith('-dirty') && !ours.endsWith('-dirty');
    if (!isKnown || this.#file === undefined || !existsSync(this.#file)) return [];
    return readFileSync(this.#file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Pair & Compared)
      .filter((pair) => pair.base === base && pair.ours === ours);
  }

  append(pair: Pair): void {
    if (this.#file === undefined) return;
    const line = { ...this.#compared, at: new Date().toISOString(), ...pair };
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}
