/** A policy as data: an ordered list of rules on what may be started and typed. The first that fits decides. */

import type { Pattern } from '../views/pattern.ts';

/** `run`: one shell command. `type`: a whole line, as the program in the foreground will get it. */
export const policyActs = ['open', 'run', 'type'] as const;
export type PolicyAct = (typeof policyActs)[number];

/** From the mildest to the strictest. */
export const outcomes = ['allow', 'ask', 'deny'] as const;
export type Outcome = (typeof outcomes)[number];

/** A rule as it is written in the file. */
export interface RuleText {
  /** @default all of them */
  act?: PolicyAct | readonly PolicyAct[];
  /** A regular expression for one command of a command line: its words without quotes. */
  command?: string;
  /** A regular expression for a typed line. */
  input?: string;
  /** The program that gets a typed line; `*` stands for anything. */
  foreground?: string;
  /** A folder, with all that lies in it; `*` stands for anything. */
  cwd?: string;
  /** The actor's name, its client's name, or `person`. @default everyone but a person */
  actor?: string;
  /** The session's name; `*` stands for anything. */
  session?: string;
  then: Outcome;
  /** Told to the agent: why, and what to do instead. */
  why: string;
}

export interface Rule extends Omit<RuleText, 'act' | 'command' | 'input' | 'then'> {
  /** Counted from 1, as in the file. */
  number: number;
  acts: readonly PolicyAct[];
  outcome: Outcome;
  command?: Pattern;
  input?: Pattern;
}

export interface Policy {
  rules: readonly Rule[];
  /** No pattern can take long for a line of usual length, so that no time limit is needed. */
  isQuick: boolean;
  /** A rule names a folder, so the folder must be found out. */
  usesFolders: boolean;
  /** The profile that every session has at least. Absent: none. */
  sandbox?: string;
}

/** The file as it is written. */
export interface PolicyText {
  sandbox?: string;
  rules: readonly RuleText[];
}

export const emptyPolicy: Policy = { rules: [], isQuick: true, usesFolders: false };
