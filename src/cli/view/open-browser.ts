/**
 * Opens a link with a token in the user's browser.
 *
 * The arguments of a process can be read by everybody on the machine, so the browser is given a file that
 * only its user can read, and that leads on to the link.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePrivateTemporaryFolder, writePrivateFile } from '../../system/files/private-files.ts';

export interface OpenedBrowser {
  /** Why none was opened. */
  problem?: string;
  /** Removes what leads to the link. */
  forget(): void;
}

export const openInBrowser = (
  url: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): OpenedBrowser => {
  const hasDisplay = env.DISPLAY || env.WAYLAND_DISPLAY;
  const program = env.BROWSER || (hasDisplay ? 'xdg-open' : undefined);
  if (program === undefined) return { problem: 'there is no display', forget: () => {} };
  const folder = makePrivateTemporaryFolder(join(tmpdir(), 'repartee-view-'));
  const file = join(folder, 'open.html');
  writePrivateFile(file, redirectTo(url));
  const child = spawn(program, [file], { stdio: 'ignore', detached: true });
  // It is missing: the link was printed, and a person sees that nothing opens.
  child.on('error', () => {});
  child.unref();
  return { forget: () => rmSync(folder, { recursive: true, force: true }) };
};

/** The link is made of what we have chosen ourselves, and is escaped all the same. */
const redirectTo = (url: string): string => {
  const escaped = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${escaped}"><title>Repartee</title>\n`;
};
