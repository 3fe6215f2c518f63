/** What `audit verify` finds. */
export interface AuditVerdict {
  path: string;
  /** `unknown`: lines of a key that is gone. What can be proven is right. */
  verdict: 'intact' | 'broken' | 'unknown';
  /** How many lines are proven, and how many cannot be. */
  proven: number;
  unproven: number;
  problem?: string;
  /** The key outlives the daemon, with a keeper. */
  isKept: boolean;
}
