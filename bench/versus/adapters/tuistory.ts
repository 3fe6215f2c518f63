/** tuistory as a library: its command line would cost a new process for every call. */
import { installTool } from '../installed.ts';
import type { Peer } from '../peer.ts';
import { hosted, hostFile } from './hosted.ts';

const install = () => installTool({ packageName: 'tuistory', scripts: false });

export const tuistory: Peer = {
  name: 'tuistory',
  how: 'its library: `type`, `press`, `waitForText` with the prompt it was told, `waitForExit`',
  install: async () => (await install()).version,
  start: async (surroundings) =>
    hosted([process.execPath, hostFile('tuistory.js'), (await install()).folder], surroundings),
};
