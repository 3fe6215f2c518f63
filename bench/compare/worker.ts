/**
 * The process of one build in one pair: answers each number with the samples of that turn.
 *
 * It ends when its parent disconnects or is gone, and closes its sessions then: those in a daemon
 * would stay.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Build } from './bench.ts';
import { benches } from './benches.ts';

const [checkout = '', bench = '', folder = '', shared = '', variant] = process.argv.slice(2);

const open = async () => {
  const index = pathToFileURL(resolve(checkout, 'build/src/index.js'));
  const build = (await import(index.href)) as Build;
  return benches[bench]!.open(build, { folder, shared, isKept: variant === 'kept' });
};
const opening = open();

const end = async (code: number) => {
  await (await opening).end();
  process.exit(code);
};
process.once('disconnect', () => end(0));

const subject = await opening;
process.on('message', async (turn: number) => {
  try {
    process.send?.(await subject.turn(turn));
  } catch (error) {
    console.error(error);
    await end(1);
  }
});
process.send?.([]);
