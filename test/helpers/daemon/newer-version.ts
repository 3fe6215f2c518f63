/** The package as it was built, with another version. */
import { cpSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');

export interface NewerVersion {
  version: string;
  /** Its command line. */
  main: string;
  /** Gives it the next number, and returns what a client says that wants the daemon to become it. */
  next(): { version: string; path: string };
}

export const installNewer = (): NewerVersion => {
  const folder = folderWith();
  let patch = 0;
  const write = (version: string) => {
    const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...ours, version }));
  };
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'));
  const version = '99.0.0';
  write(version);
  return {
    version,
    main: join(folder, 'dist/cli/main.js'),
    next: () => {
      patch++;
      write(`99.0.${patch}`);
      return { version: `99.0.${patch}`, path: join(folder, 'dist/daemon/server/main.js') };
    },
  };
};
