/** A machine that is reached by ssh: an sshd on loopback, as another user where we are root. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../conversations/scenes/run.ts';
import { makeSshd } from '../../../conversations/scenes/sshd.ts';
import { bridgeCommand } from '../../../src/hosts/host-address.ts';
import { MAIN } from '../cli/own-cli.ts';

export interface OwnSshHost {
  /** What becomes a bridge to it; with `isStranger` its key is not known. */
  command(isStranger?: boolean): { program: string; args: readonly string[] };
  /** Runs a program there. */
  run(command: string): Promise<string>;
  end(): Promise<void>;
}

export const makeSshHost = async (): Promise<OwnSshHost> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-'));
  const home = join(folder, 'sshd');
  const variables = {
    PATH: `${home}/bin:/usr/local/bin:/usr/bin:/bin`,
    XDG_RUNTIME_DIR: join(home, 'run'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'),
  };
  const prepare = () => {
    mkdirSync(join(home, 'bin'));
    const program = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
    writeFileSync(join(home, 'bin/repartee'), program, { mode: 0o755 });
    const own = ['run', 'state', 'config'].map((name) => join(home, name));
    for (const path of own) mkdirSync(path, { mode: 0o700 });
    return own;
  };
  const scene = await makeSshd(folder, { variables, prepare });
  // Where ssh keeps its shared connection. Its path must be short.
  const runtimeFolder = mkdtempSync(join(tmpdir(), 'repartee-'));
  chmodSync(runtimeFolder, 0o700);
  const configured = `exec /usr/bin/ssh -F '${scene.env.SSH_CONFIG}'`;
  const ssh = (name: string, options: string) => {
    const path = join(runtimeFolder, name);
    writeFileSync(path, `#!/bin/sh\n${configured} ${options} "$@"\n`, { mode: 0o755 });
    return path;
  };
  const trusting = ssh('ssh', '-o StrictHostKeyChecking=accept-new');
  const strict = ssh('strict', '-o UserKnownHostsFile=/dev/null -o ControlPath=none');
  const { args } = bridgeCommand('ssh://box', { runtimeFolder, mayAsk: false });
  const shared = ['-o', `ControlPath=${runtimeFolder}/ssh-%C`];
  return {
    command: (isStranger = false) => ({ program: isStranger ? strict : trusting, args }),
    run: (command) => run(trusting, [...shared, 'box', command]),
    end: async () => {
      await run(trusting, [...shared, 'box', 'repartee daemon stop']).catch(() => {});
      await run(trusting, [...shared, '-O', 'exit', 'box']).catch(() => {});
      await scene.strike();
      for (const path of [folder, runtimeFolder]) rmSync(path, { recursive: true, force: true });
    },
  };
};
