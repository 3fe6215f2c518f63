/**
 * What should be alive, kept beside the sessions themselves, and compared with what is.
 *
 * Every session gets a tag of ours in its environment: whatever it starts is known by it, whatever
 * the library thinks of it. Comparing is done while no operation is under way.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Sessions } from '../../src/session/sessions.ts';
import { isProcessDead, readProcessStat } from '../../src/system/proc/process-stat.ts';

export interface Known {
  name: string;
  tag: string;
  sort: 'terminal' | 'pipes' | 'output only';
  /** C-d was pressed: without a terminal it ends the input, as soon as the program has read the rest. */
  mayHaveEnded?: boolean;
}

export const TAG = 'REPARTEE_SOAK';

export class Model {
  readonly alive = new Map<string, Known>();
  /** Processes that a close without force has named as survivors. */
  readonly survivors = new Set<number>();
  readonly #run: string;
  /** Of descriptors: what the process was started with, and what the library keeps for good. */
  readonly #before = counted();
  #tags = 0;

  constructor(run: string) {
    this.#run = run;
  }

  nextTag(): string {
    return `${this.#run}.${this.#tags++}`;
  }

  opened(known: Known): void {
    this.alive.set(known.name, known);
  }

  /** Only this very session: its name may be another one's by now. */
  closed(known: Known): void {
    if (this.alive.get(known.name) === known) this.alive.delete(known.name);
  }

  /** The processes of this run that are there, by their tag. */
  processes(): { pid: number; tag: string }[] {
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map((entry) => ({ pid: Number(entry), tag: tagOf(Number(entry)) ?? '' }))
      .filter(({ pid, tag }) => tag.startsWith(`${this.#run}.`) && isThere(pid));
  }

  /** What disagrees, in words. */
  async disagreements(sessions: Sessions): Promise<string[]> {
    const found: string[] = [];
    const list = await sessions.list();
    const there = list.map(({ session }) => session).sort();
    const expected = [...this.alive.keys()].sort();
    if (there.join() !== expected.join()) found.push(`sessions ${there}; expected ${expected}`);
    for (const { session, state, pid } of list) {
      if ((state === 'exited') === isThere(pid))
        found.push(`${session} is ${state}, and its process ${pid} ${isThere(pid) ? 'is' : 'not'}`);
    }
    const tags = new Set([...this.alive.values()].map(({ tag }) => tag));
    for (const { pid, tag } of this.processes()) {
      if (!tags.has(tag) && !this.survivors.has(pid))
        found.push(`process ${pid} (${readProcessStat(pid)?.name}) is left of a closed session`);
    }
    const exited = list.filter(({ state }) => state === 'exited').map(({ session }) => session);
    found.push(...this.#descriptors(new Set(exited)));
    return found;
  }

  /**
   * A terminal is a master, a duplicate of it while anything can still be written to it, and a slave
   * while the program runs. Without a terminal there are the pipes for output, twice likewise, and
   * for input.
   */
  #descriptors(exited: ReadonlySet<string>): string[] {
    const known = [...this.alive.values()];
    const running = (sort: Known['sort']) =>
      known.filter((one) => one.sort === sort && !exited.has(one.name)).length;
    const ended = (sort: Known['sort']) =>
      known.filter((one) => one.sort === sort && exited.has(one.name)).length;
    const kept = (sort: Known['sort'], each: number, atLeast: number) => ({
      least: running(sort) * each + ended(sort) * atLeast,
      most: (running(sort) + ended(sort)) * each,
    });
    const masters = kept('terminal', 2, 1);
    const slaves = { least: running('terminal'), most: running('terminal') };
    const withInput = kept('pipes', 3, 2);
    const withoutInput = kept('output only', 2, 1);
    const ending = known.filter((one) => one.sort === 'pipes' && one.mayHaveEnded).length;
    const pipes = {
      least: withInput.least + withoutInput.least - ending,
      most: withInput.most + withoutInput.most,
    };
    const now = counted();
    const rows = [
      { what: 'masters', is: now.masters - this.#before.masters, ...masters },
      { what: 'slaves', is: now.slaves - this.#before.slaves, ...slaves },
      { what: 'pipes', is: now.pipes - this.#before.pipes, ...pipes },
    ];
    return rows
      .filter(({ is, least, most }) => is < least || is > most)
      .map(({ what, is, least, most }) => `${is} ${what}; expected ${least} to ${most}`);
  }
}

const counted = () => {
  const links = descriptorLinks();
  const count = (pattern: RegExp) => links.filter((link) => pattern.test(link)).length;
  return {
    masters: count(/^\/dev\/(pts\/)?ptmx$/),
    slaves: count(/^\/dev\/pts\/\d+$/),
    pipes: count(/^pipe:/),
  };
};

/** The files this process has open, but for those of /proc, which are kept for a second. */
export const descriptorLinks = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const link = readlinkSync(`/proc/self/fd/${fd}`);
      return link.startsWith('/proc/') ? [] : [link];
    } catch {
      // The descriptor with which the folder itself was read.
      return [];
    }
  });

const isThere = (pid: number): boolean => {
  const stat = readProcessStat(pid);
  return stat !== undefined && !isProcessDead(stat);
};

/** Undefined also for one that has just ended. */
export const tagOf = (pid: number): string | undefined => {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return variables.find((entry) => entry.startsWith(`${TAG}=`))?.slice(TAG.length + 1);
  } catch {
    return undefined;
  }
};
