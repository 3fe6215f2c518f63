/**
 * What a bench is to the comparison: a subject that is set up once per process and then asked for
 * one short turn after another, so that the builds can take turns many times in a second.
 *
 * No bench imports more than types from src/: the process of an older build would load a part of
 * ours as well, and need more memory for it.
 */
import type * as Library from '../../src/index.ts';

/** A build of the library: only what both commits export under the same name may be used. */
export type Build = Pick<typeof Library, 'LocalSessions' | 'connectDaemon'>;

/** Milliseconds or megabytes. */
export interface Sample {
  metric: string;
  /** The steps of a metric are summarized each for itself, then added up. */
  step?: string;
  values: readonly number[];
}

export interface Subject {
  turn(at: number): Promise<readonly Sample[]>;
  end(): Promise<void>;
}

export interface Place {
  /** Of this process alone, and removed afterwards. */
  folder: string;
  /** What `prepare` has made, for all processes. */
  shared: string;
  /** Its daemon has a keeper, if it has a daemon. */
  isKept: boolean;
}

export interface Bench {
  /** Best a multiple of three: then each process is as often the first. */
  turns: number;
  /** Makes what all processes need, once; returns what removes it. */
  prepare?(shared: string): Promise<() => Promise<void>>;
  /** Sets up and warms up. */
  open(build: Build, place: Place): Promise<Subject>;
}

/** Not the caller's: a python3 that is a wrapper script would be measured with everything else. */
export const environment = { PATH: '/usr/bin:/bin:/usr/sbin', PS1: '$ ', LANG: 'C.UTF-8' };

/** A shell that marks its prompts, as one opened without a command does; without the user's files. */
export const bash = { shell: '/bin/bash', clean: true, env: environment };
