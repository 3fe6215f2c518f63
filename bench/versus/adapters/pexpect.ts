/** pexpect: `run`, and `spawn` with `expect_exact` of the prompt it is told; `waitnoecho` for passwords. */
import { debianPackage } from '../installed.ts';
import type { Peer } from '../peer.ts';
import { hosted, hostFile } from './hosted.ts';

export const pexpect: Peer = {
  name: 'pexpect',
  how: 'its library: `spawn`, `sendline`, `expect_exact` with the prompt it was told; no delay before sending',
  install: () => debianPackage('python3-pexpect'),
  start: (surroundings) => hosted(['/usr/bin/python3', hostFile('pexpect-host.py')], surroundings),
};
