/**
 * The way to the daemon of a host: a process of ours (ssh, docker, any command) whose standard input and
 * output lead to it. Each connection has its own bridge; ssh shares one connection among them.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Duplex, type Readable, type Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FarOrigin } from '../daemon/client/connect.ts';
import type { OpenTransport } from '../daemon/client/daemon-connection.ts';
import { MAX_FRAME_BYTES } from '../daemon/protocol/frames.ts';
import { SocketTransport } from '../daemon/protocol/socket-transport.ts';
import { HostUnreachable } from '../errors.ts';
import { type BridgeEnd, bridgeProblem } from './bridge-problem.ts';
import type { BridgeCommand } from './host-address.ts';
import { type BridgeGreeting, StartMarkReader } from './start-mark.ts';

export interface HostBridgeOptions {
  host: string;
  command: BridgeCommand;
  /** How long a bridge may take until it says that it is one. @default 30 s */
  startMs?: number;
  /** After the first failure; doubled with each further one. @default 1 s */
  firstPauseMs?: number;
  /** A bridge that ends sooner counts as one that has failed. @default 2 s */
  stableMs?: number;
}

type BridgeProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Longer than ssh takes to give up (ConnectTimeout), and a daemon to start there. */
const START_MS = 30_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
/** Otherwise one that breaks at once could be started without end. */
const STABLE_MS = 2000;
/** How often a bridge is tried for a connection that was there before: seven seconds of pauses. */
const TRIES_TO_RESUME = 4;
const MAX_STDERR_CHARS = 16_384;
/** A bridge whose input has ended ends by itself, unless its network is gone. */
const END_MS = 2000;
/** As long as the header of a frame allows. What a far daemon says is still limited by that. */
const MAX_RESPONSE_BYTES = 99_999_999;

export class HostBridge {
  readonly #options: Required<HostBridgeOptions>;
  #greeting: BridgeGreeting | undefined;
  /** How many bridges have failed, or ended early, one after the other. */
  #failures = 0;
  #lastFailure: HostUnreachable | undefined;
  #mayStartMs = 0;

  constructor({
    startMs = START_MS,
    firstPauseMs = FIRST_PAUSE_MS,
    stableMs = STABLE_MS,
    ...rest
  }: HostBridgeOptions) {
    this.#options = { startMs, firstPauseMs, stableMs, ...rest };
  }

  /** How many bridges were started. */
  started = 0;

  /** Whose folder and variables programs get there. Known once a bridge was open. */
  readonly origin = (): FarOrigin => {
    const { folder, env, shell, umask } = this.#greeting!;
    return { folder: () => folder, env, shell: (changed) => changed.SHELL || shell, umask };
  };

  /**
   * A connection that was there before is tried for some seconds: calls wait for it. One that was not
   * fails at once, and again without a try until its pause is over; so does one that has been given up.
   */
  readonly open: OpenTransport = async (format) => {
    const tries = this.#greeting === undefined ? 1 : TRIES_TO_RESUME;
    for (let left = tries; ; left--) {
      const pauseMs = this.#mayStartMs - performance.now();
      const isGivenUp = tries === 1 || this.#failures >= TRIES_TO_RESUME;
      if (pauseMs > 0 && isGivenUp) throw this.#lastFailure!;
      if (pauseMs > 0) await delay(pauseMs);
      try {
        const stream = await this.#start();
        const limits = { maxMessageBytes: MAX_RESPONSE_BYTES, maxSentBytes: MAX_FRAME_BYTES };
        return new SocketTransport(stream, { ...limits, format });
      } catch (error) {
        if (!(error instanceof HostUnreachable)) throw error;
        this.#onFailure(error);
        if (left === 1) throw error;
      }
    }
  };

  #onFailure(failure: HostUnreachable): void {
    const { firstPauseMs } = this.#options;
    this.#lastFailure = failure;
    const pauseMs = Math.min(MAX_PAUSE_MS, firstPauseMs * 2 ** this.#failures);
    this.#failures++;
    this.#mayStartMs = performance.now() + pauseMs;
  }

  /** Resolves once the far side has said that it is a bridge. */
  async #start(): Promise<Duplex> {
    const { host, command, startMs, stableMs } = this.#options;
    this.started++;
    const child = spawn(command.program, command.args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const end = followEnd(child);
    try {
      const { greeting, rest } = await whenGreeted(child, startMs);
      this.#greeting = greeting;
      if (rest.length > 0) child.stdout.unshift(rest);
    } catch (error) {
      child.kill();
      const stderr = error instanceof NoGreeting ? `${end.stderr}${error.message}` : end.stderr;
      throw bridgeProblem(host, { ...end, stderr: stderr || String(error) });
    }
    const openedMs = performance.now();
    const stream = streamOf(child);
    stream.once('close', () => {
      if (performance.now() - openedMs > stableMs) this.#failures = 0;
      else this.#onFailure(bridgeProblem(host, end));
    });
    return stream;
  }
}

/** What it said before it ended is told; the message of this error only if that was nothing. */
class NoGreeting extends Error {}

const followEnd = (child: BridgeProcess): BridgeEnd => {
  const end: BridgeEnd = { exitCode: undefined, stderr: '' };
  child.stderr.on('data', (chunk) => {
    end.stderr = (end.stderr + chunk).slice(-MAX_STDERR_CHARS);
  });
  child.on('exit', (code) => {
    end.exitCode = code;
  });
  child.on('error', ({ message }) => {
    end.exitCode = null;
    end.stderr += message;
  });
  // It may be gone while something is written to it.
  child.stdin.on('error', () => {});
  return end;
};

const whenGreeted = (child: BridgeProcess, startMs: number) =>
  new Promise<NonNullable<ReturnType<StartMarkReader['receive']>>>((resolve, reject) => {
    const reader = new StartMarkReader();
    const onData = (chunk: Buffer) => {
      try {
        const found = reader.receive(chunk);
        if (found === undefined) return;
        stop();
        child.stdout.pause();
        resolve(found);
      } catch (error) {
        fail((error as Error).message);
      }
    };
    const fail = (reason: string) => {
      stop();
      reject(new NoGreeting(reason));
    };
    // Once its output and its errors are all there: they say why.
    const onClose = () => fail(reader.before);
    const timer = setTimeout(() => fail(`no answer within ${startMs / 1000} s`), startMs);
    const stop = () => {
      clearTimeout(timer);
      child.stdout.off('data', onData);
      child.off('close', onClose);
      child.off('error', onClose);
    };
    child.stdout.on('data', onData);
    child.on('close', onClose);
    child.on('error', onClose);
  });

/** Its two streams as one, which is over when either of them is. */
const streamOf = (child: BridgeProcess): Duplex => {
  const stream = Duplex.from({ readable: child.stdout, writable: child.stdin });
  child.once('exit', () => child.stdout.once('end', () => stream.destroy()));
  stream.once('close', () => {
    child.stdin.end();
    // What ssh leaves behind for others keeps its error output open, and would keep us.
    child.stderr.destroy();
    const timer = setTimeout(() => child.kill(), END_MS).unref();
    child.once('exit', () => clearTimeout(timer));
    child.unref();
  });
  return stream;
};
