import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Shell code that waits until `open` is called: a span of time may be over before a busy machine looks. */
export const makeGate = (): { wait: string; open(): void } => {
  const file = join(folderWith(), 'open');
  return {
    wait: `until test -e ${file}; do sleep 0.05; done`,
    open: () => writeFileSync(file, ''),
  };
};

/** A temporary folder with these files, executable; gone when the test is over. */
export const folderWith = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  return folder;
};
