/** The daemon's own program, started by `start.ts`. Its one argument: how long it stays unneeded. */
import { places } from './paths.ts';
import { serve } from './serve.ts';

process.title = 'repartee-daemon';
const [idleMs] = process.argv.slice(2);
// What goes wrong here is the last line of the log, and the reason that whoever started it is given.
await serve(places(), idleMs === undefined ? {} : { idleMs: Number(idleMs) });
