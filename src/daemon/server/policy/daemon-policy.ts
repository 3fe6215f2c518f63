/** The daemon's policy: the file, the gate before its sessions, what waits for a person, and the audit. */
import { NotAPerson } from '../../../errors.ts';
import type { Caller } from '../../../session/caller.ts';
import type { LocalSessions } from '../../../session/local-sessions.ts';
import type { SessionEvent } from '../../../session/sessions.ts';
import type { AuditVerdict } from '../../protocol/audit-verdict.ts';
import type { DaemonPaths } from '../../protocol/daemon-paths.ts';
import type { DaemonLog } from '../daemon-log.ts';
import type { DaemonMemory } from '../keeping/daemon-memory.ts';
import { Approvals } from './approvals.ts';
import { AuditLog } from './audit-log.ts';
import { auditSessions } from './audit-sessions.ts';
import { OutsideSessions } from './outside-sessions.ts';
import { PolicyFile } from './policy-file.ts';
import { PolicyGate } from './policy-gate.ts';
import { verifyAudit } from './verify-audit.ts';

export class DaemonPolicy {
  readonly approvals: Approvals;
  readonly outside: OutsideSessions;
  readonly #file: PolicyFile;
  readonly #gate: PolicyGate;
  readonly #audit: AuditLog;

  constructor(
    paths: Pick<DaemonPaths, 'policy' | 'audit'>,
    sessions: LocalSessions,
    log: DaemonLog,
    approvalMs: number | undefined,
  ) {
    this.approvals = new Approvals(approvalMs);
    this.#audit = new AuditLog(paths.audit, { onTrouble: (message) => log.write(message) });
    this.#file = new PolicyFile(paths.policy, {
      onChange: (message) => {
        log.write(message);
        this.#audit.add({ what: 'policy', outcome: message });
      },
    });
    const makeGate = () => new PolicyGate(this.#file, this.approvals, this.#audit);
    this.#gate = makeGate();
    this.outside = new OutsideSessions(makeGate, this.#audit);
    sessions.gateWith(this.#gate);
    auditSessions(sessions, this.#audit);
  }

  /** Must be called before anything is started. `memory`: what outlives the daemon, with a keeper. */
  async load(memory: DaemonMemory | undefined): Promise<void> {
    this.#audit.load(memory);
    await this.#file.load(memory);
  }

  /** What callers must be told with every result. */
  notice(): Promise<string | undefined> {
    return this.#file.notice();
  }

  onSessionEvent(event: SessionEvent): void {
    if (event.type === 'renamed') this.#gate.onRenamed(event.session, event.to);
    if (event.type === 'closed') this.#gate.onClosed(event.session);
  }

  switchOff({ kind, inside }: Caller): void {
    if (inside !== undefined || kind !== 'person') throw new NotAPerson(inside?.session);
    this.#file.switchOff();
  }

  verifyAudit(): AuditVerdict {
    return verifyAudit(this.#audit);
  }
}
