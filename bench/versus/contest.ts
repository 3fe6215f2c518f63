/** Every task through every tool, in turn, several times over, in one run. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { now } from './clock.ts';
import { Cannot, type Peer, type Seat, type Surroundings } from './peer.ts';
import { Place } from './place.ts';
import { killAll, processesWith } from './processes.ts';
import type { Finding, Task } from './task.ts';

/** Many times what the slowest of those need that get through. */
const ATTEMPT_MS = 90_000;
/** A busy machine may be too slow for the time-out that a tool has for its own start. */
const STARTS = 3;
const WARM_UPS = 3;
const WARM_UP_MS = 5000;
/** Of each answer: enough to see what was said. */
const KEPT_CHARS = 2000;

export interface Attempt extends Finding {
  task: string;
  peer: string;
  round: number;
  cannot?: true;
  /** What was asked and answered, as it came; long answers are cut. */
  exchanged: { asked: unknown; answered: unknown }[];
}

export class Contest {
  readonly #home = mkdtempSync(join(tmpdir(), 'versus-home-'));
  readonly #seats = new Map<Peer, Seat>();
  readonly attempts: Attempt[] = [];
  #exchanged: Attempt['exchanged'] = [];
  /** Where somebody is at work. */
  #place: Place | undefined;

  /**
   * The order moves on by one in every round: nobody is always first. No round is begun that would
   * not end in time. Returns how many there were.
   */
  async run(
    peers: readonly Peer[],
    tasks: readonly Task[],
    { rounds, untilMs }: { rounds: number; untilMs: number },
  ): Promise<number> {
    let roundMs = 0;
    for (let round = 0; round < rounds; round++) {
      if (round > 0 && now() + roundMs > untilMs) return round;
      roundMs = 0;
      for (const task of tasks) {
        if (task.once && round > 0) continue;
        const started = now();
        for (const at of peers.keys())
          this.attempts.push(await this.#attempt(peers[(at + round) % peers.length]!, task, round));
        if (!task.once) roundMs += now() - started;
      }
    }
    return rounds;
  }

  async end(): Promise<void> {
    await Promise.all([...this.#seats.keys()].map((peer) => this.#leave(peer)));
    this.#clear();
    killAll(processesWith(this.#home));
    rmSync(this.#home, { recursive: true, force: true });
  }

  async #attempt(peer: Peer, task: Task, round: number): Promise<Attempt> {
    this.#exchanged = [];
    const place = new Place();
    this.#place = place;
    const started = now();
    const finding = await this.#finding(peer, task, place);
    const exchanged = this.#exchanged.map(({ asked, answered }) => ({
      asked,
      answered: cut(anonymous(answered, place.folder)),
    }));
    this.#clear();
    const seconds = ((now() - started) / 1000).toFixed(1);
    console.error(`${task.id.padEnd(12)} ${peer.name.padEnd(18)} ${seconds} s ${brief(finding)}`);
    return { ...finding, task: task.id, peer: peer.name, round, exchanged };
  }

  #clear(): void {
    if (this.#place === undefined) return;
    killAll(processesWith(this.#place.folder));
    this.#place.remove();
    this.#place = undefined;
  }

  async #finding(peer: Peer, task: Task, place: Place): Promise<Finding & { cannot?: true }> {
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      limit = setTimeout(
        () => reject(new Error(`not done after ${ATTEMPT_MS / 1000} s`)),
        ATTEMPT_MS,
      );
    });
    try {
      const seat = await this.#seat(peer);
      return await Promise.race([task.attempt(seat, place), late]);
    } catch (error) {
      const note = error instanceof Error ? error.message : String(error);
      if (error instanceof Cannot) return { right: false, cannot: true, note };
      await this.#leave(peer);
      return { right: false, note };
    } finally {
      clearTimeout(limit);
    }
  }

  async #seat(peer: Peer): Promise<Seat> {
    const seated = this.#seats.get(peer);
    if (seated !== undefined) return seated;
    for (let start = 1; ; start++)
      try {
        const seat = await peer.start(this.#surroundings(peer));
        this.#seats.set(peer, seat);
        // The first call of a process loads and compiles what later ones have: no task pays for that.
        for (let call = 0; call < WARM_UPS; call++) await seat.run('true', WARM_UP_MS);
        this.#exchanged = [];
        return seat;
      } catch (error) {
        await this.#leave(peer);
        if (start === STARTS) throw error;
      }
  }

  async #leave(peer: Peer): Promise<void> {
    const seat = this.#seats.get(peer);
    this.#seats.delete(peer);
    // It may be what has just failed.
    await seat?.stop().catch(() => undefined);
    killAll(processesWith(join(this.#home, slug(peer))));
  }

  #surroundings(peer: Peer): Surroundings {
    const home = join(this.#home, slug(peer));
    mkdirSync(home, { recursive: true });
    return {
      home,
      env: {
        PATH: process.env.PATH ?? '',
        SHELL: '/bin/bash',
        LANG: 'C.UTF-8',
        TERM: 'xterm-256color',
      },
      keep: (asked, answered) => this.#exchanged.push({ asked, answered }),
    };
  }
}

const slug = ({ name }: Peer): string => name.toLowerCase().replaceAll(' ', '-');

const anonymous = (value: unknown, folder: string): unknown =>
  typeof value === 'string' ? value.replaceAll(folder, '/place') : value;

const cut = (value: unknown): unknown =>
  typeof value === 'string' && value.length > KEPT_CHARS
    ? `${value.slice(0, KEPT_CHARS / 2)}\n[${value.length - KEPT_CHARS} characters]\n${value.slice(-KEPT_CHARS / 2)}`
    : value;

const brief = ({ right, value, note, cannot, told }: Finding & { cannot?: true }): string => {
  const number = value === undefined ? '' : ` ${value.toFixed(2)}`;
  return `${cannot ? 'cannot' : right ? 'right' : 'WRONG'}${number}${told ? ' (told)' : ''}${note ? `: ${note}` : ''}`;
};
