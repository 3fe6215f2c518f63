/** `repartee view`: serves the viewer's page for the sessions of the user's daemon. */
import { connectDaemon } from '../../daemon/client/daemon-sessions.ts';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import type { ListenAddress } from '../../http/listen.ts';
import { serveViewer } from '../../viewer/serve-viewer.ts';
import { printJson, printRemark, printText } from '../output/print-result.ts';
import { stopSignal } from '../stop-signal.ts';
import { openInBrowser } from './open-browser.ts';

interface ServeViewOptions {
  address: ListenAddress;
  isReadOnly: boolean;
  opensBrowser: boolean;
  json: boolean;
  /** Which session the page shows first. @default all */
  session: string | undefined;
}

/** Serves until a signal arrives. */
export const serveView = async (options: ServeViewOptions): Promise<void> => {
  const { address, isReadOnly, opensBrowser, json, session } = options;
  // Typing and answering are a person's; looking is anybody's.
  const caller = { door: 'viewer', person: !isReadOnly } as const;
  const viewer = await serveViewer({
    ...address,
    isReadOnly,
    recordings: daemonPaths().recordings,
    connect: () => connectDaemon({ caller }),
  });
  const at = session === undefined ? '' : `&session=${encodeURIComponent(session)}`;
  const url = `${viewer.url ?? viewer.readOnlyUrl}${at}`;
  const readOnlyUrl = `${viewer.readOnlyUrl}${at}`;
  if (json) printJson({ url, read_only_url: readOnlyUrl });
  else {
    printText(url);
    if (!isReadOnly) printRemark(`[to look only: ${readOnlyUrl}]`);
    if (!isLoopback(address.host))
      printRemark('[others on the network can read what is sent: it is not encrypted]');
    printRemark('[Ctrl-C ends the viewer; the sessions go on]');
  }
  const stopped = stopSignal();
  const browser = opensBrowser ? openInBrowser(url) : undefined;
  if (browser?.problem !== undefined) printRemark(`[${browser.problem}: open the link yourself]`);
  await stopped;
  browser?.forget();
  await viewer.close();
};

const isLoopback = (host: string): boolean => /^(?:127\.|localhost$|::1$)/.test(host);
