/** A question to a person, whether something may be started or typed. */
import type { PolicyAct } from '../../policy/policy.ts';
import type { CallOptions } from '../sessions.ts';

/**
 * `session`: and do not ask again for the same in this session. `rule`: and never again, by a rule in the
 * policy.
 */
export const approvalAnswers = ['once', 'session', 'rule', 'refuse'] as const;
export type ApprovalAnswer = (typeof approvalAnswers)[number];

export interface ApprovalRequest {
  id: number;
  askedAt: string;
  /** Nobody's answer by then is a refusal. */
  expiresAt: string;
  act: PolicyAct;
  session: string;
  /** Who wants it. */
  who: string;
  /** The command, or what is typed, with keys as escapes. */
  what: string;
  /** The part of it that the rule is about. */
  about: string;
  cwd?: string;
  /** The program that gets what is typed, and what it asks. */
  foreground?: string;
  prompt?: string;
  /** What the session shows. */
  screen?: string;
  rule: number;
  why: string;
  /** Why the rule might fit, where that cannot be known. */
  doubt?: string;
  /** Those that can be given. */
  answers: readonly ApprovalAnswer[];
}

/** A rule is made by a person at a terminal of their own alone: it holds for everybody. */
export type UserAnswer = Exclude<ApprovalAnswer, 'rule'>;

/**
 * Puts a question to the user of the program that makes the call. Undefined: they were asked, and have not
 * decided. The signal aborts when the question no longer waits.
 */
export type AskUser = (
  request: ApprovalRequest,
  signal: AbortSignal,
) => Promise<UserAnswer | undefined>;

/** What a question has of the call that it is asked for. */
export type Asking = Pick<CallOptions, 'signal' | 'askUser'>;
