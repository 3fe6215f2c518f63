/**
 * Executes another program in the daemon's process: the daemon again, perhaps another version of it, or a
 * keeper if ours has died. The programs of the sessions stay children of this process.
 *
 * Everything is in the memory of the sessions at any time, as for a daemon that is killed. But this one
 * can choose the moment: it begins nothing new, and lets what it does come to an end, for a short time.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { RestartRefused } from '../../../errors.ts';
import { PACKAGE_VERSION } from '../../../package-version.ts';
import type { Caller } from '../../../session/caller.ts';
import type { LocalSessions } from '../../../session/local-sessions.ts';
import type { DaemonPaths } from '../../protocol/daemon-paths.ts';
import { isNewerVersion } from '../../protocol/newer-version.ts';
import type { KnownClients } from '../clients/known-clients.ts';
import type { DaemonSocket } from '../daemon-socket.ts';
import type { KeptDaemon } from './kept-daemon.ts';
import {
  assertKeeperUsable,
  assertReadsOurSessions,
  assertTrustedProgram,
} from './next-program.ts';

/**
 * How long calls that have an effect may take to come to their end, or to where they only wait. Most take
 * milliseconds; a person who is attached does not wait for the others, whose outcome is then not known.
 */
const SETTLE_MS = 500;
/** The system may lack memory for a moment, or the package may be in the middle of an update. */
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 10_000;

export interface SuccessorDeps {
  readonly paths: DaemonPaths;
  /** Undefined if the daemon has no keeper. */
  readonly kept: KeptDaemon | undefined;
  readonly sessions: LocalSessions;
  readonly socket: DaemonSocket;
  readonly knownClients: KnownClients;
  readonly log: { write(line: string): void };
  isEnding(): boolean;
}

export class Successor {
  readonly #deps: SuccessorDeps;
  #isKeeperGone = false;
  /** Before a keeper is tried again that could not be started. It grows. */
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | undefined;
  #resting: Promise<void> | undefined;
  #goOn = () => {};

  constructor(deps: SuccessorDeps) {
    this.#deps = deps;
  }

  /** While nothing new may be begun. Resolves if the daemon goes on after all. */
  get resting(): Promise<void> | undefined {
    return this.#resting;
  }

  /** From now on a keeper that dies is replaced. Must be called when everything is restored. */
  watchKeeper(): void {
    this.#deps.kept?.onKeeperGone(() => {
      this.#isKeeperGone = true;
      this.#deps.log.write('the keeper has died');
      void this.replaceKeeper();
    });
  }

  /** Does nothing while the keeper lives. Called again when a session was closed. */
  async replaceKeeper(): Promise<void> {
    const { kept, paths, isEnding } = this.#deps;
    if (!this.#isKeeperGone || kept === undefined || isEnding()) return;
    // Those would end. As long as we live, they do not.
    if (this.#unkept.length > 0) return;
    kept.startStandIn(paths);
    try {
      await assertKeeperUsable(kept.program);
    } catch (error) {
      this.#retryLater((error as Error).message);
      return;
    }
    if (this.#resting !== undefined) return;
    if (isEnding()) {
      kept.endStandIn();
      return;
    }
    this.#rest();
    await this.#execute(kept.program);
  }

  /**
   * Prepares a restart, with the asking client's program if that is newer. Throws if it cannot be done.
   * It is done after this has returned, so that the client gets its answer.
   */
  async restart(asking: { version?: string; path?: string }, caller: Caller): Promise<void> {
    const { kept, log } = this.#deps;
    if (kept === undefined) throw RestartRefused.withoutKeeper(PACKAGE_VERSION);
    if (this.#isKeeperGone) throw new RestartRefused('its keeper has just died, and is replaced');
    const { version = PACKAGE_VERSION, path: theirs } = asking;
    const isNewer = theirs !== undefined && isNewerVersion(version, PACKAGE_VERSION);
    // It would get all that was typed, secrets too, which no program of a session may see.
    if (isNewer && caller.inside !== undefined)
      throw new RestartRefused('a program inside one of its sessions may not choose the version');
    const program = isNewer ? theirs : kept.program;
    assertTrustedProgram(program);
    await assertReadsOurSessions(program);
    this.#assertAllKept();
    if (this.#resting !== undefined) return;
    log.write(`restarts as ${isNewer ? version : PACKAGE_VERSION}`);
    this.#rest();
    void this.#execute(program);
  }

  get #unkept(): string[] {
    const { sessions } = this.#deps;
    return sessions.all.filter(({ kept }) => kept === undefined).map(({ name }) => name);
  }

  #assertAllKept(): void {
    const names = this.#unkept;
    if (names.length > 0)
      throw new RestartRefused(
        `these sessions have no terminal and would end: ${names.join(', ')}`,
      );
  }

  /** New clients wait in the socket's backlog, and new requests are not begun: both find our successor. */
  #rest(): void {
    this.#deps.socket.pause();
    this.#resting = new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  /** `program`: of a daemon. If there is no keeper, that is executed first, and starts our own. */
  async #execute(program: string): Promise<void> {
    const { sessions, knownClients, log, socket, paths } = this.#deps;
    const kept = this.#deps.kept!;
    const abort = new AbortController();
    await Promise.race([
      knownClients.untilEffectsAreDone(),
      delay(SETTLE_MS, undefined, { signal: abort.signal }).catch(() => {}),
    ]);
    abort.abort();
    // The answers are sent in this turn, and nothing is being delivered in the next.
    await nextTurn();
    knownClients.noteTyped();
    for (const session of sessions.all) session.kept?.writeDown();
    const problem = this.#isKeeperGone ? kept.becomeKeeper(paths) : kept.becomeDaemon(program);
    log.write(`could not execute the next program: ${problem}`);
    this.#resting = undefined;
    await socket.resume();
    this.#goOn();
    if (this.#isKeeperGone) this.#retryLater(problem);
  }

  /** Until it succeeds: without a keeper the sessions end with us. */
  #retryLater(problem: string): void {
    const { log } = this.#deps;
    log.write(`goes on without a keeper, tries again in ${this.#retryMs} ms: ${problem}`);
    this.#deps.kept?.endStandIn();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.replaceKeeper(), this.#retryMs).unref();
    this.#retryMs = Math.min(MAX_RETRY_MS, 2 * this.#retryMs);
  }
}
