/**
 * A socket between clients and their daemon that cuts connections at random: before a request is sent
 * on, in the middle of a frame, after the request has arrived and before its answer, in the middle of
 * the answer.
 */
import { chmodSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { DaemonPaths } from '../../../src/daemon/protocol/daemon-paths.ts';
import type { Random } from '../seeded.ts';

/**
 * At most so many bytes pass in either direction before a cut: less than a hello, a few exchanges, or
 * enough for the longest answer, which would never arrive otherwise.
 */
const BYTES = [300, 3000, 3000, 3000, 200_000];

export class CuttingProxy {
  /** For a client: those of the daemon, with the socket of the proxy. */
  readonly paths: DaemonPaths;
  /** How many connections were cut. */
  cuts = 0;
  /** While false, connections last. */
  isCutting = true;
  readonly #daemon: string;
  readonly #random: Random;
  readonly #bytes: readonly number[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(paths: DaemonPaths, random: Random, bytes: readonly number[] = BYTES) {
    this.#daemon = paths.socket;
    const socket = join(paths.runtimeFolder, 'proxy.sock');
    // By a second socket a client would find the daemon without us.
    const { stateSocketPrefix: _, ...rest } = paths;
    this.paths = { ...rest, socket, stateSocket: socket };
    this.#random = random;
    this.#bytes = bytes;
    this.#server = createServer((near) => this.#serve(near));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.paths.socket, resolve));
    chmodSync(this.paths.socket, 0o600);
  }

  /** Cuts all connections now. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cutAll();
  }

  #serve(near: Socket): void {
    const far = connect(this.#daemon);
    const cut = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        cut();
      });
    }
    this.#pass(near, far, cut);
    this.#pass(far, near, cut);
  }

  #pass(from: Socket, to: Socket, cut: () => void): void {
    let left = this.#random.below(this.#random.pick(this.#bytes));
    from.on('data', (chunk) => {
      if (!this.isCutting || chunk.length < left) {
        left -= chunk.length;
        if (!to.write(chunk)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
        return;
      }
      from.pause();
      this.cuts++;
      // What came before the cut arrives.
      to.write(chunk.subarray(0, left), cut);
    });
  }
}
