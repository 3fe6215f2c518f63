/** expect: `spawn`, `send`, `expect` of the prompt it is told. Its host reads JSON with tcllib. */
import { debianPackage } from '../installed.ts';
import type { Peer } from '../peer.ts';
import { hosted, hostFile } from './hosted.ts';

export const expect: Peer = {
  name: 'expect',
  how: 'its own language: `spawn`, `send`, `expect` with the prompt it was told',
  install: async () =>
    (await debianPackage('tcllib')) === undefined ? undefined : debianPackage('expect'),
  start: (surroundings) => hosted(['/usr/bin/expect', hostFile('expect.tcl')], surroundings),
};
