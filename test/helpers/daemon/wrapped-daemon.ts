/** A daemon that does something of its own before it starts, such as denying itself something. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderWith } from '../temporary-folder.ts';
import { DAEMON_PROGRAM } from './own-daemon.ts';

const DIST = join(dirname(DAEMON_PROGRAM), '../..');

/** Returns the program. `before`: the text of a module; `dist` is there the folder of the build. */
export const wrappedDaemon = (before: string): string => {
  const folder = folderWith();
  const program = join(folder, 'daemon/server/main.mjs');
  mkdirSync(dirname(program), { recursive: true });
  const text = `const dist = ${JSON.stringify(DIST)};
${before}
await import(${JSON.stringify(DAEMON_PROGRAM)});
`;
  writeFileSync(program, text);
  return program;
};
