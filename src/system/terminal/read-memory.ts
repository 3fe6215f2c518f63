/** Where output is read to. In shared memory it outlives this process. */

/**
 * The stream has chosen the place of its next read before it comes, so reads by other means need
 * another place.
 */
export const readWays = ['stream', 'direct'] as const;
export type ReadWay = (typeof readWays)[number];

export interface ReadMemory {
  /** Where the next read must put its bytes. */
  readBuffer(way: ReadWay): Buffer;
  /** Must be called after each read. Returns the bytes, which are valid until the next read. */
  noteRead(way: ReadWay, bytes: number): Buffer;
}

/**
 * All terminals are read into this one buffer, and each chunk is delivered before the next read. A
 * buffer for each of a thousand sessions would take 64 MB. A new buffer for each read would leave
 * 40 MB of garbage in a flood.
 */
const ownBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** Of this process alone. */
export const ownMemory: ReadMemory = {
  readBuffer: () => ownBuffer,
  noteRead: (_way, bytes) => ownBuffer.subarray(0, bytes),
};
