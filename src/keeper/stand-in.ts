/**
 * Holds everything while a daemon whose keeper was killed becomes the next keeper: until then its process
 * would be the only one that has the sessions.
 *
 * The stand-in is a keeper that waits. It inherits the descriptors when it is forked, so it holds them
 * before its program has even been loaded. It goes on in our place only if all processes are dead that
 * have the other end of its pipe, and nobody has told it to leave.
 */
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { closePipeEnd, openPipe } from '../system/descriptors.ts';
import { addKeeperProcess } from '../system/process/own-processes.ts';
import { descriptorsIn, type HandedOver, renumber } from './handed-over.ts';

/** What the stand-in inherits first. The rest follows it. */
const PIPE = 3;

export interface StandIn {
  /** By which it is told to leave. It goes on when the last copy is closed. */
  readonly pipe: number;
  /** At once. What it holds is let go. */
  end(): void;
}

export const startStandIn = (
  program: string,
  argument: object,
  handedOver: HandedOver,
): StandIn => {
  const { readEnd, writeEnd } = openPipe();
  try {
    const descriptors = descriptorsIn(handedOver);
    const numbers = new Map(descriptors.map((fd, at) => [fd, PIPE + 1 + at]));
    const theirs = renumber(handedOver, (fd) => numbers.get(fd)!);
    const child = spawn(
      process.execPath,
      [program, JSON.stringify({ ...argument, handedOver: theirs, standsInAt: PIPE })],
      { cwd: '/', stdio: ['ignore', 'inherit', 'inherit', readEnd, ...descriptors] },
    );
    // Then there is none, as if it had been killed.
    child.on('error', () => {});
    child.unref();
    // It holds the terminals, and belongs to no session.
    if (child.pid !== undefined) addKeeperProcess(child.pid);
    const end = () => {
      child.kill('SIGKILL');
      closePipeEnd(writeEnd);
    };
    return { pipe: writeEnd, end };
  } finally {
    closePipeEnd(readEnd);
  }
};

/** Somebody else holds everything. */
export const dismissStandIn = (pipe: number): void => {
  try {
    writeSync(pipe, '!');
  } catch {
    // It was killed.
  }
  closePipeEnd(pipe);
};

/** Resolves to false if it is told to leave, and to true if nobody is left who could do that. */
export const untilNeeded = (pipe: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new Socket({ fd: pipe, readable: true, writable: false });
    socket.once('data', () => resolve(false));
    socket.once('error', () => resolve(true));
    socket.once('close', () => resolve(true));
  });
