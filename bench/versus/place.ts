/** Where a task is done: a folder of its own, with the programs, and the moments they wrote down. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stamps } from './clock.ts';

const PROGRAMS = join(import.meta.dirname, '../../../bench/versus/programs');

export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), 'versus-'));
  readonly programs = PROGRAMS;
  readonly #stamp = join(this.folder, 'stamp');

  /** A command line that runs here. Everything it needs is in the line: not every tool takes more. */
  command(line: string): string {
    const setting = `STAMP=${this.#stamp} PYTHONPATH=${PROGRAMS} PYTHONDONTWRITEBYTECODE=1`;
    return `cd ${this.folder}; export ${setting}; ${line}`;
  }

  /** What a shell does to write down the moment. */
  readonly stampHere = 'echo $EPOCHREALTIME >> $STAMP';

  stamps(): number[] {
    return stamps(this.#stamp);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
