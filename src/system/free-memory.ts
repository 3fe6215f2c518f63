/**
 * Gives free memory back to the system, in a process that lives long and has had large screens.
 *
 * glibc keeps what is freed between two pieces that are still in use: after 250 hostile sessions, half of
 * 230 MB. It gives large pieces back at once, but by itself it counts ever larger ones as small. And V8
 * lets its heap grow to several times of what is alive before it looks for garbage; of what lies outside its
 * heap, such as the bytes of a history, it leaves even more.
 */
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { M_MMAP_THRESHOLD } from './constants.ts';
import { libc } from './libc.ts';

/** By how much the heap grows between two collections. With V8's own factor it came to 290 MB, of 30 in use. */
const HEAP_GROWTH_PERCENT = 40;
/** Larger pieces are given back when they are free: such as a row of 22,000 columns. */
const LARGE_BYTES = 256 * 1024;
/** What Node takes beside its heap is 50 MB. Giving back costs milliseconds, so it must be worth it. */
const WORTHWHILE_BYTES = 80 * 1024 * 1024;

/**
 * So much garbage is looked for at once: a large screen may follow that needs 110 MB itself. A collection
 * takes 12 to 40 ms.
 */
const MUCH_GARBAGE_BYTES = 20 * 1024 * 1024;

/**
 * After so many turns of the event loop nothing holds a closed session any more. Its terminal's handle is
 * closed only at the end of a turn: a collection after two turns found the whole screen in use in every second
 * case, and after three in none.
 */
const TURNS_TO_LET_GO = 4;
/** Rows are outside V8's heap. Another thread frees them after a collection, 90 MB within 20 ms. */
const FREED_MS = 30;

/** What is in use, as far as we know. Undefined if nothing is given back in this process. */
let residentBytes: number | undefined;
let collect = () => {};

export const giveFreeMemoryBack = (): void => {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  setFlagsFromString('--expose-gc');
  collect = runInNewContext('gc');
  residentBytes = process.memoryUsage.rss();
  const { malloc_trim, mallopt } = libc();
  mallopt?.(M_MMAP_THRESHOLD, LARGE_BYTES);
  // After a full collection, since that is when the memory of screens becomes free.
  new PerformanceObserver((list) => {
    if (!list.getEntries().some(isFullCollection)) return;
    const { rss, heapTotal, arrayBuffers } = process.memoryUsage();
    if (rss - heapTotal - arrayBuffers > WORTHWHILE_BYTES) malloc_trim?.(0);
    // Never more: what a large screen took at a collection is garbage when its session is closed.
    residentBytes = Math.min(residentBytes!, process.memoryUsage.rss());
  }).observe({ entryTypes: ['gc'] });
};

/** Called when a session is closed, which leaves some megabytes of garbage. */
export const collectMuchGarbage = async (): Promise<void> => {
  if (residentBytes === undefined) return;
  for (let turn = 0; turn < TURNS_TO_LET_GO; turn++) await nextTurn();
  if (process.memoryUsage.rss() - residentBytes <= MUCH_GARBAGE_BYTES) return;
  collect();
  residentBytes = process.memoryUsage.rss();
  await delay(FREED_MS, undefined, { ref: false });
  // Never more: a new session may have grown meanwhile.
  residentBytes = Math.min(residentBytes, process.memoryUsage.rss());
};

/** `@types/node` does not have the details of collections. */
const isFullCollection = (entry: unknown): boolean =>
  (entry as { detail: { kind: number } }).detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
