/**
 * A conversation with a real program, as data: what to type, and whose turn it must be after that.
 *
 * `npm test` holds every one of them, `npm run bench verdict` measures them, and
 * docs/reference/known-to-work.md lists them.
 */
import type { Activity, Certainty, WaitingFor } from '../src/state/verdict.ts';

export interface Conversation {
  /** Such as "python3"; unique. */
  name: string;
  kind:
    | 'shell'
    | 'repl'
    | 'debugger'
    | 'database'
    | 'remote'
    | 'password'
    | 'packages'
    | 'git'
    | 'pager'
    | 'editor'
    | 'full screen'
    | 'installer'
    | 'work'
    | 'awkward';
  /** Programs that must be installed (test/programs.json says from which package). */
  needs: readonly string[];
  /** Only root can make its scene. */
  asRoot?: true;
  /** What must be there: a name in scenes.ts. Its variables can be used in `open`. */
  scene?: string;
  /** Written into the folder in which the program starts, before it does. */
  files?: Readonly<Record<string, string>>;
  /** A command line for `/bin/sh -c 'exec …'`. `$NODE` is the node that runs the test. */
  open: string;
  /** Over the ordinary environment of a test. */
  env?: Readonly<Record<string, string>>;
  steps: readonly Step[];
}

/** Something typed (or nothing, for the first step), and what must follow. */
export interface Step {
  /** Typed, and Enter pressed after it. */
  type?: string;
  /** Typed as it is. */
  text?: string;
  /** Key names, as in docs/reference/keys.md. */
  keys?: string;
  /** Lets go a program that works `UNTIL_RELEASED`. */
  release?: true;
  /** Seen on the screen, or in what has scrolled off it, when the verdict is given. */
  shows?: RegExp;
  expect: Waiting | Working | Exited;
}

/** The file that a `release` makes, in the folder of the conversation. */
export const RELEASE_FILE = 'released';

/**
 * Work in a shell that lasts until the conversation has found it: a span of time might be over
 * before a busy machine has looked.
 */
export const UNTIL_RELEASED = `until test -e ${RELEASE_FILE}; do sleep 0.1; done`;

export interface Waiting {
  for: WaitingFor;
  prompt?: RegExp;
  /** The least certainty the verdict must have. @default 'certain' */
  certainty?: Certainty;
  /** Why it cannot be certain; required where it need not be. */
  why?: string;
  /** It runs as root, and hides what it does from others: to them it is only likely. */
  setuid?: true;
}

export interface Working {
  working: Activity | 'anything';
  /**
   * Why it may be guessed to wait instead: nothing may have been heard of it for a second when a busy
   * machine looks.
   */
  orGuess?: string;
}

export interface Exited {
  exited: number | string;
}
