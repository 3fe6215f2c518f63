import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/**
 * Where the folders of tests lie. With `SANDBOX=workspace` that is the workspace, since a sandbox has a
 * temporary folder of its own.
 */
export const sharedFolder = process.env.SANDBOX
  ? mkdtempSync(join(tmpdir(), 'repartee-workspace-'))
  : tmpdir();

/**
 * Shell code that waits until `open` is called: a span of time may be over before a busy machine looks.
 * Its file goes with the test file, since a test that runs beside others cannot name itself.
 */
export const makeGate = (): { wait: string; open(): void } => {
  const file = join(gateFolder(), randomUUID());
  return {
    wait: `until test -e ${file}; do sleep 0.05; done`,
    open: () => writeFileSync(file, ''),
  };
};

let gates: string | undefined;

afterAll(() => {
  if (sharedFolder !== tmpdir()) rmSync(sharedFolder, { recursive: true, force: true });
  if (gates !== undefined) rmSync(gates, { recursive: true, force: true });
});

const gateFolder = (): string => {
  if (gates === undefined) {
    gates = mkdtempSync(join(sharedFolder, 'repartee-gates-'));
    // Programs of other users wait at them, too.
    chmodSync(gates, 0o711);
  }
  return gates;
};

/** A temporary folder with these files, executable; gone when the test is over. */
export const folderWith = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = mkdtempSync(join(sharedFolder, 'repartee-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  return folder;
};
