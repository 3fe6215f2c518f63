/** Writes into the audit what happens in sessions: starts, input, secrets, take-overs, closes. */
import type { LocalSessions } from '../../../session/local-sessions.ts';
import type { SessionEvent } from '../../../session/sessions.ts';
import type { AuditLog } from './audit-log.ts';

export const auditSessions = (sessions: LocalSessions, audit: AuditLog): void => {
  sessions.subscribe((event) => addEvent(audit, event), undefined, [
    'opened',
    'input',
    'keyboard',
    'closed',
  ]);
};

const addEvent = (audit: AuditLog, event: SessionEvent): void => {
  const { session } = event;
  switch (event.type) {
    case 'opened':
      audit.add({ what: 'start', session, caller: event.openedBy, text: event.command.join(' ') });
      break;
    case 'input': {
      const { actor: name, caller, hidden, secret, bytes } = event;
      audit.add({
        what: secret === undefined ? 'input' : 'secret',
        session,
        actor: { name, caller },
        ...(secret !== undefined && { text: secret }),
        ...(hidden && secret === undefined && { hidden }),
        ...(!hidden && { text: Buffer.from(bytes).toString() }),
      });
      break;
    }
    case 'keyboard':
      audit.add({
        what: 'keyboard',
        session,
        caller: event.caller,
        outcome: event.holder === undefined ? 'given back' : `taken by ${event.holder}`,
      });
      break;
    case 'closed':
      audit.add({ what: 'close', session });
      break;
  }
};
