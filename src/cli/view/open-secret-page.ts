/** A page on which a person types one secret for a session of the daemon, served until that is done. */
import type { DaemonSessions } from '../../daemon/client/daemon-sessions.ts';
import { NotAPerson } from '../../errors.ts';
import type { SecretPage } from '../../mcp/secret-page.ts';
import type { SessionState } from '../../session/sessions.ts';

export const openSecretPage = async (state: SessionState): Promise<SecretPage> => {
  // Loaded only when needed: most clients never need a page.
  const { serveViewer } = await import('../../viewer/serve-viewer.ts');
  const viewer = await serveViewer({ host: '127.0.0.1', port: 0, connect: connectForPerson });
  const { url, done } = viewer.linkFor({ kind: 'secret', session: state.session, state });
  return { url, typed: done, close: () => viewer.close() };
};

/** A client without a terminal cannot show that a person uses it; the link itself went to its user. */
const connectForPerson = async (): Promise<DaemonSessions> => {
  const { connectDaemon } = await import('../../daemon/client/daemon-sessions.ts');
  const door = 'viewer';
  try {
    return await connectDaemon({ caller: { door, person: true } });
  } catch (error) {
    if (!(error instanceof NotAPerson)) throw error;
    return connectDaemon({ caller: { door } });
  }
};
