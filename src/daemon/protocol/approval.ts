/** A question to a person, whether something may be started or typed. */
import type { PolicyAct } from '../../policy/policy.ts';

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
