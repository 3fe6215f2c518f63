/**
 * What was given of each session last, so that a read that finds nothing new can say how to get it again:
 * the answer may have gone to a call that its client had given up.
 */
import type { SessionResult } from '../../session/sessions.ts';

interface GivenOutput {
  /** Up to where a result has read. */
  position: number;
  /** The last one that was not empty: where it began, and when it was given. */
  last?: { from: number; givenMs: number };
}

export class LastOutput {
  readonly #given = new Map<string, GivenOutput>();

  /** Called for each result of what is new in a session. */
  note({ session, output, position }: SessionResult): void {
    const before = this.#given.get(session);
    const from = before?.position;
    const last =
      output === '' || from === undefined
        ? before?.last
        : { from: Math.min(from, position), givenMs: performance.now() };
    this.#given.set(session, { position, ...(last && { last }) });
  }

  /** A session begins with nothing given. */
  begin(session: string): void {
    this.#given.set(session, { position: 0 });
  }

  nothingNewHint({ session, output }: SessionResult): string {
    const { last } = this.#given.get(session) ?? {};
    if (output !== '' || last === undefined) return '';
    const seconds = Math.round((performance.now() - last.givenMs) / 1000);
    return `Nothing new since ${seconds} s ago; "from":${last.from} repeats what was given then.`;
  }
}
