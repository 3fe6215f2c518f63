/** Runs command lines as a user, in a sandbox of that user's own profile. */
import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { folderWith } from '../helpers/temporary-folder.ts';

const RUNNER = join(import.meta.dirname, 'run-in-sandbox.js');

export interface RunResult {
  output: string;
  exitCode?: number;
  signal?: string;
  error?: string;
}

/** One after another, each in a sandbox of its own. */
export const runWithProfile = async (
  uid: number,
  profile: object,
  commands: readonly string[],
): Promise<RunResult[]> => {
  const home = folderWith();
  const profiles = join(home, '.config/repartee/sandbox');
  const workspace = join(home, 'work');
  for (const folder of [profiles, workspace]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(profiles, 'own.json'), JSON.stringify(profile));
  const isRoot = process.getuid!() === 0;
  if (isRoot) for (const path of [home, workspace]) chownSync(path, uid, uid);
  const child = spawn(process.execPath, [RUNNER], {
    ...(isRoot && { uid, gid: uid }),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', HOME: home, SHELL: '/bin/bash' },
  });
  child.stdin.end(JSON.stringify({ profile: 'own', workspace, commands }));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (output === '') throw new Error(errors);
  return JSON.parse(output);
};
